import { settingsPage } from '../../account_settings/index.ts'
import type { Response, Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { checkbox, field, form, html, select, submit, type Html } from '../../../platform/ui/index.ts'
import { timeOf, type WebSession } from '../../sessions/index.ts'
import type { TextKey } from '../../../platform/i18n/index.ts'
import { listInvites, type Invite } from './invite.ts'

export const PATH = '/invites'

export const MAX_USES: readonly number[] = [1, 5, 10, 25, 50, 100]
export const LIFETIMES: ReadonlyMap<number, TextKey> = new Map([
  [1800, 'invites.minutes_30'],
  [3600, 'invites.hours_1'],
  [21_600, 'invites.hours_6'],
  [43_200, 'invites.hours_12'],
  [86_400, 'invites.days_1'],
  [604_800, 'invites.weeks_1'],
])
const A_DAY = '86400'

/** The form that creates an invite, and the user's invites. */
export async function invitesPage(
  context: Context,
  visit: WebSession,
  viewer: Viewer,
  commentErrors?: readonly string[],
): Promise<Response> {
  const { t: say } = visit.speaker
  const invites = await listInvites(context.database, viewer.userId)
  const body = html`<p>${say('invites.intro')}</p>
    ${inviteForm(visit, commentErrors)} ${invites.length > 0 && html`<h2>${say('invites.yours')}</h2>`}
    <ul class="entries">
      ${invites.map(invite => entry(context, visit, invite))}
    </ul>`
  return settingsPage(context, visit, viewer, { title: say('invites.title'), body, place: PATH })
}

function inviteForm(visit: WebSession, errors: readonly string[] | undefined): Html {
  const { t: say } = visit.speaker
  const uses = MAX_USES.map(count => [String(count), String(count)] as const)
  const lifetimes = [...LIFETIMES].map(([seconds, key]) => [String(seconds), say(key)] as const)
  return form({ action: PATH, csrfToken: visit.csrfToken() }, [
    select({
      label: say('invites.max_uses'),
      name: 'invite[max_uses]',
      choices: [['', say('invites.unlimited')], ...uses],
      value: '',
    }),
    select({
      label: say('invites.expires_in'),
      name: 'invite[expires_in]',
      choices: [['', say('invites.never')], ...lifetimes],
      value: A_DAY,
    }),
    checkbox({ label: say('invites.autofollow'), name: 'invite[autofollow]', required: false }),
    field({ label: say('invites.comment'), name: 'invite[comment]', maxLength: 420, errors }),
    submit(say('invites.create')),
  ])
}

function entry({ config }: Context, visit: WebSession, invite: Invite): Html {
  const { t: say } = visit.speaker
  const most = invite.max_uses ?? '∞'
  const state = !invite.good
    ? say('invites.over')
    : invite.expires_at && say('invites.until', { time: timeOf(invite.expires_at) })
  const action = `${PATH}/${invite.id}`
  return html`<li class="entry">
    <p class="code whole">${config.publicUrl}/invite/${invite.code}</p>
    <p class="quiet">${say('invites.uses', { uses: invite.uses, most })}</p>
    ${state && html`<p class="quiet">${state}</p>`} ${invite.comment && html`<p>${invite.comment}</p>`}
    ${invite.good && form({ action, method: 'delete', csrfToken: visit.csrfToken() }, submit(say('invites.deactivate'), 'danger'))}
  </li>`
}
