import type { Viewer } from '../../core/viewer.ts'
import type { Response } from '../http/index.ts'
import type { Translator } from '../i18n/index.ts'

/** A message for the next page. */
export interface Notice {
  readonly text: string
  readonly kind: 'notice' | 'alert'
}

/** The browser's session, as pages need it. Implemented by the sessions of `auth`. */
export interface PageVisitor {
  /** The signed-in user in any account state; null for anonymous visitors. */
  readonly viewer: Viewer | null
  /** Translates into the user's language, else the browser's. */
  readonly translator: Translator
  /** A token for one form, valid only in this browser and for this user. */
  csrfToken(): string
  /** Returns the message for this page and removes it. */
  takeNotice(): Notice | undefined
  /** Adds the session's cookies to a response. */
  respond(response: Response): Response
}
