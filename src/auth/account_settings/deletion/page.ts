import { requireSignedIn, isPasswordOf, settingsPage } from '../index.ts'
import { operation, param, redirect, type Response, type Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { CSRF_PARAMETER, field, form, html, phrase, submit } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import { requestRemoval, notifyOfDeletion } from '../../../accounts/deletion/index.ts'

const path = '/settings/delete'

/** Explains what is deleted, and asks for the password. */
export const showDeletion = operation({
  method: 'GET',
  path,
  summary: 'Form that deletes the account',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle: (_, context) =>
    requireSignedIn(context, { unsuspended: true }, (visit, viewer) => deletionPage(context, visit, viewer)),
})

/**
 * Hides the account at once, signs its owner out and leaves the removal to a job. It cannot be
 * undone.
 */
export const deleteAccount = operation({
  method: 'DELETE',
  path,
  summary: 'Delete the account',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    form_delete_confirmation: param.object({ password: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'redirect',
  handle({ form_delete_confirmation: { password }, ...protection }, context) {
    return requireSignedIn(context, { form: protection, unsuspended: true }, async (visit, viewer) => {
      const { database } = context
      if (!(await isPasswordOf(database, viewer.userId, password))) return deletionPage(context, visit, viewer, true)
      await database.transaction(async transaction => {
        await notifyOfDeletion(transaction, viewer.id)
        await requestRemoval(transaction, { account: viewer.id, freesName: false })
      })
      const { speaker } = visit
      await visit.signOut({ keepPath: false })
      visit.flash(speaker.t('deletion.done'))
      return visit.answer(redirect('/auth/sign_in', 303))
    })
  },
})

function deletionPage(context: Context, visit: WebSession, viewer: Viewer, isWrong = false): Response {
  const { t: say } = visit.speaker
  const name = html`<strong>@${viewer.username}@${context.config.localDomain}</strong>`
  const link = html`<a href="/settings/exports">${say('deletion.export_link')}</a>`
  const body = html`<p>${say('deletion.what')}</p>
    <p>${say('deletion.when')}</p>
    <p>${phrase(say('deletion.name'), { name })}</p>
    <p>${phrase(say('deletion.export'), { link })}</p>
    ${form({ action: path, method: 'delete', csrfToken: visit.csrfToken() }, [
      field({
        label: say('field.current_password'),
        name: 'form_delete_confirmation[password]',
        type: 'password',
        autocomplete: 'current-password',
        hint: say('field.current_password_hint'),
        errors: isWrong ? [say('fault.wrong')] : [],
        required: true,
      }),
      submit(say('deletion.submit'), 'danger'),
    ])}`
  return settingsPage(context, visit, viewer, { title: say('deletion.title'), body, place: path })
}
