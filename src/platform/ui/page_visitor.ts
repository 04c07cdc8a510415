import type { Viewer } from '../../core/viewer.ts'
import type { Response } from '../http/index.ts'
import type { Translator } from '../i18n/index.ts'

/** A message that is shown on the next page. */
export interface Notice {
  readonly text: string
  readonly kind: 'notice' | 'alert'
}

/** What a page needs to know of the browser that asks for it. The sessions of `auth` implement it. */
export interface PageVisitor {
  /** Who is signed in with this browser, whatever their state; null when nobody is. */
  readonly viewer: Viewer | null
  /** Speaks the language of the user, else the browser's. */
  readonly speaker: Translator
  /** A token for one form: it is valid in this browser only, and for the user that the form was made for. */
  csrfToken(): string
  /** The message for this page, which is removed. */
  takeNotice(): Notice | undefined
  /** Adds the cookies that the visit needs. */
  answer(answer: Response): Response
}
