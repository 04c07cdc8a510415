import type { Id } from '../../core/id.ts'
import type { Request } from '../../platform/http/index.ts'
import type { Notice } from '../../platform/ui/index.ts'

/** A user whose password was correct, while the second factor is pending. */
export interface PendingLogin {
  readonly userId: Id
  /** The password that was correct: see `Login` of `../sign_in/login.ts`. */
  readonly passwordDigest: string
  /** When it was checked, in milliseconds. */
  readonly at: number
}

/** State that a browser sends in a signed cookie, signed in or not. */
export interface CookieState {
  /** A random id; forms of anonymous visitors are bound to it. */
  readonly id: string
  /** Where to redirect after sign-in: a path on this server. */
  returnTo?: string
  notice?: Notice
  pending?: PendingLogin
  /** The user who confirmed the password, and when, in milliseconds. */
  challenged?: { userId: Id; at: number }
  /** The challenge that a security key has to sign, and when it was created, in milliseconds. */
  assertion?: { challenge: string; at: number }
  /** When the sign-up form was shown, in milliseconds. */
  formShownAt?: number
}

/** Cookies may have 4096 bytes with their name and attributes; base64 adds a third. */
const MAX_PATH_CHARACTERS = 2600

/**
 * Whether a text is a local path: browsers resolve `//host` and `/\host` to other servers. A path
 * too long for the cookie is none.
 */
export const isLocalPath = (text: string): boolean =>
  /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= MAX_PATH_CHARACTERS

/**
 * The path of a page with its query, to return to. A query too long for the cookie is left out:
 * the page without it is nearer than the start page.
 */
export function addressOf({ path, query }: Pick<Request, 'path' | 'query'>): string {
  const address = query === '' ? path : `${path}?${query}`
  return isLocalPath(address) ? address : path
}

/** Parses the cookie's text; undefined if it is invalid. */
export function parseCookieState(text: string): CookieState | undefined {
  const found = JSON.parse(text) as Partial<CookieState>
  if (typeof found.id !== 'string') return undefined
  const memory: CookieState = { id: found.id }
  if (typeof found.returnTo === 'string' && isLocalPath(found.returnTo)) memory.returnTo = found.returnTo
  if (typeof found.notice?.text === 'string') memory.notice = found.notice
  if (typeof found.formShownAt === 'number') memory.formShownAt = found.formShownAt
  if (typeof found.pending?.passwordDigest === 'string') memory.pending = found.pending
  if (typeof found.assertion?.challenge === 'string') memory.assertion = found.assertion
  if (typeof found.challenged?.userId === 'string') memory.challenged = found.challenged
  return memory
}
