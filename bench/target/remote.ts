import type { Target } from './target.ts'

/** A remote server: figures that cannot be measured from outside are unknown. */
export const remoteTarget = (url: string, tokens: readonly string[], thread: string | undefined): Target => ({
  url: url.replace(/\/+$/, ''),
  description: url,
  people: tokens,
  authors: [],
  readers: [],
  thread,
  local: undefined,
  close: () => Promise.resolve(),
})
