import { ApiError } from '../../core/errors.ts'
import { html, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** Shown in place of posts that need a sign-in. */
export const signInPrompt = ({ t }: Translator): Html =>
  html`<div class="card">
    <p>${t('feed.sign_in')}</p>
    <p><a class="button plain" href="/auth/sign_in">${t('sign_in.title')}</a></p>
  </div>`

/** The result of a read; undefined if it requires a sign-in. */
export async function unlessSignInNeeded<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'functionalUserRequired') return undefined
    throw error
  }
}
