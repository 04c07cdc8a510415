import type { Id } from '../../core/id.ts'
import type { Notice } from '../../platform/ui/index.ts'

/** What a browser brings along from page to page in a signed cookie, signed in or not. */
export interface CookieState {
  /** Random: forms of somebody who is not signed in are bound to it. */
  readonly id: string
  /** Where to go after signing in: a path of this server. */
  returnTo?: string
  notice?: Notice
  /** Whose password was right, while the second factor is asked for. */
  pending?: { userId: Id; at: number }
  /** Who has given the password again, and when, in milliseconds. */
  challenged?: { userId: Id; at: number }
  /** When the sign-up form was shown, in milliseconds. */
  formShownAt?: number
}

/** Cookies have 4096 bytes with their name and attributes; base64 takes a third more. */
const MAX_PATH_CHARACTERS = 2600

/**
 * Whether a text is a path of this server and nothing else: `//host` and `/\host` lead elsewhere in browsers. Paths that a cookie has no
 * room for are none.
 */
export const isLocalPath = (text: string): boolean =>
  /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= MAX_PATH_CHARACTERS

/** The memory in the text of the cookie, or undefined when it is none. */
export function parseCookieState(text: string): CookieState | undefined {
  const found = JSON.parse(text) as Partial<CookieState>
  if (typeof found.id !== 'string') return undefined
  const memory: CookieState = { id: found.id }
  if (typeof found.returnTo === 'string' && isLocalPath(found.returnTo)) memory.returnTo = found.returnTo
  if (typeof found.notice?.text === 'string') memory.notice = found.notice
  if (typeof found.formShownAt === 'number') memory.formShownAt = found.formShownAt
  if (typeof found.pending?.userId === 'string') memory.pending = found.pending
  if (typeof found.challenged?.userId === 'string') memory.challenged = found.challenged
  return memory
}
