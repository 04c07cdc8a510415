import type { Target } from './target.ts'

/** Somebody else's server: what cannot be seen from outside stays unknown. */
export const foreignTarget = (url: string, tokens: readonly string[], thread: string | undefined): Target => ({
  url: url.replace(/\/+$/, ''),
  description: url,
  people: tokens,
  authors: [],
  readers: [],
  thread,
  own: undefined,
  close: () => Promise.resolve(),
})
