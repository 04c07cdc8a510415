import { signedInForm, signedInPage, isPasswordOf, settingsPage } from '../index.ts'
import { param, redirect, type Response, type Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { field, form, html, phrase, submit } from '../../../platform/ui/index.ts'
import { holdSession, type WebSession } from '../../sessions/index.ts'
import { requestRemoval, notifyOfDeletion } from '../../../accounts/deletion/index.ts'

const path = '/settings/delete'

/** Explains what is deleted, and asks for the password. */
export const showDeletion = signedInPage({
  path,
  summary: 'Show the form for deleting the account',
  params: {},
  unsuspended: true,
  show: (_, context, webSession, viewer) => deletionPage(context, webSession, viewer),
})

/**
 * Hides the account at once, signs its owner out and leaves the removal to a job. It cannot be
 * undone.
 */
export const deleteAccount = signedInForm({
  method: 'DELETE',
  path,
  summary: 'Delete the account',
  params: {
    form_delete_confirmation: param.object({ password: param.string({ default: '' }) }, { missing: 400 }),
  },
  unsuspended: true,
  async act({ form_delete_confirmation: { password } }, context, webSession, viewer) {
    const { database } = context
    if (!(await isPasswordOf(database, viewer.userId, password))) return deletionPage(context, webSession, viewer, true)
    const isRequested = await database.transaction(async transaction => {
      if (!(await holdSession(transaction, webSession.session))) return false
      await notifyOfDeletion(transaction, viewer.id)
      await requestRemoval(transaction, { account: viewer.id, freesName: false })
      return true
    })
    if (!isRequested) return webSession.respond(redirect('/auth/sign_in'))
    const { translator } = webSession
    await webSession.signOut({ keepPath: false })
    webSession.flash(translator.t('deletion.done'))
    return webSession.respond(redirect('/auth/sign_in', 303))
  },
})

function deletionPage(context: Context, webSession: WebSession, viewer: Viewer, isWrong = false): Response {
  const { t } = webSession.translator
  const name = html`<strong>@${viewer.username}@${context.config.localDomain}</strong>`
  const link = html`<a href="/settings/exports">${t('deletion.export_link')}</a>`
  const body = html`<p>${t('deletion.what')}</p>
    <p>${t('deletion.when')}</p>
    <p>${phrase(t('deletion.name'), { name })}</p>
    <p>${phrase(t('deletion.export'), { link })}</p>
    ${form({ action: path, method: 'delete', csrfToken: webSession.csrfToken() }, [
      field({
        label: t('field.current_password'),
        name: 'form_delete_confirmation[password]',
        type: 'password',
        autocomplete: 'current-password',
        hint: t('field.current_password_hint'),
        errors: isWrong ? [t('form_error.wrong')] : [],
        required: true,
      }),
      submit(t('deletion.submit'), 'danger'),
    ])}`
  return settingsPage(context, webSession, viewer, { title: t('deletion.title'), body, navigationPath: '/auth/edit' })
}
