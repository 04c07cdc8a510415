import { ApiError } from '../../core/errors.ts'
import { html, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** Stands where there are posts for those who have signed in. */
export const signInPrompt = ({ t: say }: Translator): Html =>
  html`<div class="card">
    <p>${say('feed.sign_in')}</p>
    <p><a class="button plain" href="/auth/sign_in">${say('sign_in.title')}</a></p>
  </div>`

/** What is read; undefined when only people who have signed in may read it. */
export async function unlessSignInNeeded<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'functionalUserRequired') return undefined
    throw error
  }
}
