import { settingsPage } from '../index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Response, Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { field, form, html, submit, type Html } from '../../../platform/ui/index.ts'
import { findStanding, newPasswordFields, type FieldErrors, type Standing } from '../../sign_up/index.ts'
import { requiredStep, type WebSession } from '../../sessions/index.ts'
import { browserList } from '../../sign_in/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'

export const PATH = '/auth/edit'

/** Account state, e-mail address, password and browser sessions. */
export async function credentialsPage(
  context: Context,
  visit: WebSession,
  viewer: Viewer,
  errors: FieldErrors = {},
): Promise<Response> {
  const standing = await findStanding(context.database, viewer.userId)
  if (!standing) throw new ApiError('notFound')
  const { speaker } = visit
  const state = stateOf(viewer, standing, speaker)
  const { unconfirmed_email: wanted } = standing
  const body = html`${state !== undefined && html`<p class="alert">${state}</p>`}
  ${wanted !== null && html`<p class="notice">${speaker.t('account.waiting', { email: wanted })}</p>`}
  ${!viewer.suspended && credentialsForm(visit, standing.email, errors)} ${await browserList(context, visit, viewer)}`
  return settingsPage(context, visit, viewer, { title: speaker.t('account.title'), body, place: PATH })
}

/** Why the account cannot be used; undefined if it can. */
function stateOf(viewer: Viewer, standing: Standing, { t: say }: Translator): string | undefined {
  if (viewer.suspended) return say(standing.going ? 'account.going' : 'account.suspended')
  if (viewer.state === 'unconfirmed') return say('account.unconfirmed', { email: standing.email })
  if (viewer.state === 'pending') return say('account.pending')
  if (viewer.missingFactor) return say('account.factor')
  return requiredStep(viewer) === undefined ? undefined : say('account.disabled')
}

function credentialsForm(visit: WebSession, email: string, errors: FieldErrors): Html {
  const { t: say } = visit.speaker
  return form({ action: '/auth', method: 'put', csrfToken: visit.csrfToken() }, [
    field({
      label: say('field.email'),
      name: 'user[email]',
      type: 'email',
      value: email,
      autocomplete: 'email',
      errors: errors['email'],
      verbatim: true,
    }),
    newPasswordFields(visit.speaker, errors, { change: true }),
    field({
      label: say('field.current_password'),
      name: 'user[current_password]',
      type: 'password',
      autocomplete: 'current-password',
      hint: say('field.current_password_hint'),
      errors: errors['current_password'],
      required: true,
    }),
    submit(say('account.save')),
  ])
}
