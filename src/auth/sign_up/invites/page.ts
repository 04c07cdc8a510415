import { settingsPage } from '../../account_settings/index.ts'
import type { Response, Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import {
  checkbox,
  field,
  form,
  html,
  pageLinks,
  select,
  submit,
  timeText,
  type Html,
} from '../../../platform/ui/index.ts'
import type { Id } from '../../../core/id.ts'
import type { WebSession } from '../../sessions/index.ts'
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
const PAGE_SIZE = 40
export const MAX_COMMENT_CHARACTERS = 420

/** What the form contains. */
export interface InviteInput {
  readonly max_uses: string
  readonly expires_in: string
  readonly autofollow: boolean
  readonly comment: string
}

const INITIAL: InviteInput = { max_uses: '', expires_in: A_DAY, autofollow: false, comment: '' }

interface Shown {
  /** Invites below an id instead of the newest. */
  readonly before?: Id | undefined
  /** The submitted form, with what is wrong with its comment. */
  readonly refused?: { readonly input: InviteInput; readonly errors: readonly string[] }
}

/** The form that creates an invite, and the user's newest invites, or those below an id. */
export async function invitesPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  { before, refused }: Shown = {},
): Promise<Response> {
  const { t } = webSession.translator
  const found = await listInvites(context.database, viewer.userId, { before, limit: PAGE_SIZE + 1 })
  const invites = found.slice(0, PAGE_SIZE)
  const body = html`<p>${t('invites.intro')}</p>
    ${inviteForm(webSession, refused?.input ?? INITIAL, refused?.errors)}
    ${invites.length > 0 && html`<h2>${t('invites.yours')}</h2>`}
    <ul class="entries">
      ${invites.map(invite => entry(context, webSession, invite))}
    </ul>
    ${pageLinks(webSession.translator, {
      newer: before === undefined ? undefined : PATH,
      older: found.length > PAGE_SIZE ? `${PATH}?max_id=${invites.at(-1)?.id}` : undefined,
    })}`
  return settingsPage(context, webSession, viewer, { title: t('invites.title'), body, navigationPath: PATH })
}

function inviteForm(webSession: WebSession, input: InviteInput, errors: readonly string[] | undefined): Html {
  const { t } = webSession.translator
  const uses = MAX_USES.map(count => [String(count), String(count)] as const)
  const lifetimes = [...LIFETIMES].map(([seconds, key]) => [String(seconds), t(key)] as const)
  return form({ action: PATH, csrfToken: webSession.csrfToken() }, [
    select({
      label: t('invites.max_uses'),
      name: 'invite[max_uses]',
      choices: [['', t('invites.unlimited')], ...uses],
      value: input.max_uses,
    }),
    select({
      label: t('invites.expires_in'),
      name: 'invite[expires_in]',
      choices: [['', t('invites.never')], ...lifetimes],
      value: input.expires_in,
    }),
    checkbox({
      label: t('invites.autofollow'),
      name: 'invite[autofollow]',
      required: false,
      checked: input.autofollow,
    }),
    field({
      label: t('invites.comment'),
      name: 'invite[comment]',
      value: input.comment,
      maxLength: MAX_COMMENT_CHARACTERS,
      errors,
    }),
    submit(t('invites.create')),
  ])
}

function entry({ config }: Context, webSession: WebSession, invite: Invite): Html {
  const { t } = webSession.translator
  const limit = invite.max_uses ?? '∞'
  const state = !invite.usable
    ? t('invites.over')
    : invite.expires_at && t('invites.until', { time: timeText(invite.expires_at, webSession.translator) })
  const action = `${PATH}/${invite.id}`
  return html`<li class="entry">
    <p class="code whole">${config.publicUrl}/invite/${invite.code}</p>
    <p class="quiet">${t('invites.uses', { uses: invite.uses, limit })}</p>
    ${state && html`<p class="quiet">${state}</p>`} ${invite.comment && html`<p>${invite.comment}</p>`}
    ${invite.usable && form({ action, method: 'delete', csrfToken: webSession.csrfToken() }, submit(t('invites.deactivate'), 'danger'))}
  </li>`
}
