import { settingsPage } from '../index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Response, Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { field, form, html, submit, type Html } from '../../../platform/ui/index.ts'
import {
  readConfirmationState,
  newPasswordFields,
  type FieldErrors,
  type ConfirmationState,
} from '../../sign_up/index.ts'
import { requiredStep, type WebSession } from '../../sessions/index.ts'
import { browserList } from '../../sign_in/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'

export const PATH = '/auth/edit'

/** What a submitted form had. */
interface Submitted {
  readonly email: string
  readonly errors: FieldErrors
}

/** Account state, e-mail address, password and browser sessions. */
export async function credentialsPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  submitted?: Submitted,
): Promise<Response> {
  const standing = await readConfirmationState(context.database, viewer.userId)
  if (!standing) throw new ApiError('notFound')
  const { translator } = webSession
  const state = stateOf(viewer, standing, translator)
  const { unconfirmed_email: newEmail } = standing
  const body = html`${state !== undefined && html`<p class="alert">${state}</p>`}
  ${newEmail !== null && html`<p class="notice">${translator.t('account.waiting', { email: newEmail })}</p>`}
  ${!viewer.suspended && credentialsForm(webSession, submitted ?? { email: standing.email, errors: {} })}
  ${await browserList(context, webSession, viewer)}
  ${!viewer.suspended && html`<p class="leave"><a href="/settings/delete">${translator.t('nav.deletion')}</a></p>`}`
  return settingsPage(context, webSession, viewer, { title: translator.t('account.title'), body, navigationPath: PATH })
}

/** Why the account cannot be used; undefined if it can. */
function stateOf(viewer: Viewer, standing: ConfirmationState, { t }: Translator): string | undefined {
  if (viewer.suspended) return t(standing.being_deleted ? 'account.going' : 'account.suspended')
  if (viewer.state === 'unconfirmed') return t('account.unconfirmed', { email: standing.email })
  if (viewer.state === 'pending') return t('account.pending')
  if (viewer.missingFactor) return t('account.factor')
  return requiredStep(viewer) === undefined ? undefined : t('account.disabled')
}

function credentialsForm(webSession: WebSession, { email, errors }: Submitted): Html {
  const { t } = webSession.translator
  return form({ action: '/auth', method: 'put', csrfToken: webSession.csrfToken() }, [
    field({
      label: t('field.email'),
      name: 'user[email]',
      type: 'email',
      value: email,
      autocomplete: 'username',
      errors: errors['email'],
      verbatim: true,
    }),
    newPasswordFields(webSession.translator, errors, { change: true }),
    field({
      label: t('field.current_password'),
      name: 'user[current_password]',
      type: 'password',
      autocomplete: 'current-password',
      hint: t('field.current_password_hint'),
      errors: errors['current_password'],
      required: true,
    }),
    submit(t('account.save')),
  ])
}
