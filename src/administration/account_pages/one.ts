import { hasPermission } from '../../core/permissions.ts'
import type { Id } from '../../core/id.ts'
import { listNotes } from '../../moderation/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  facts,
  html,
  linkButton,
  Html,
  paragraphs,
  section,
  table,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { entryCells, logColumns, readLog } from '../audit_log/index.ts'
import { staffView, type Staff } from '../index.ts'
import { actionLabel, loadPeople, noteList, personOr } from '../page_parts/index.ts'
import { accountForms } from './forms.ts'
import { factsOf, invitesOf, strikesOf, type AccountFacts } from './find.ts'
import { LIST } from './list.ts'
import { stateBadges } from './state_badges.ts'

const LOG_ENTRIES = 20

/** The path of the staff's page of an account. */
export const accountPath = (id: Id): string => `${LIST}/${id}`

function loginFacts(found: AccountFacts, { t, translator }: Staff): Content {
  if (found.user_id === null) return null
  const ips = found.ips.map(
    ({ ip, used_at: used }) =>
      html`<li><a class="code" href="${LIST}?ip=${encodeURIComponent(ip)}">${ip}</a> ${time(used, translator)}</li>`,
  )
  return section('login', t('accounts.login'), [
    facts([
      [t('accounts.email'), found.email],
      [t('accounts.unconfirmed_email'), found.unconfirmed_email],
      [t('accounts.confirmed'), t(found.confirmed ? 'staff.yes' : 'staff.no')],
      [t('accounts.second_factor'), t(found.second_factor ? 'staff.yes' : 'staff.no')],
      [t('accounts.locale'), found.locale],
      [t('accounts.signed_in'), found.current_sign_in_at && time(found.current_sign_in_at, translator)],
      [t('accounts.last_active'), found.last_active_at && time(found.last_active_at, translator)],
      [t('accounts.application'), found.application],
    ]),
    found.sign_up_reason !== null &&
      found.sign_up_reason !== '' && [
        html`<p>${t('accounts.reason')}</p>`,
        html`<blockquote class="quotation">${paragraphs(found.sign_up_reason)}</blockquote>`,
      ],
    ips.length > 0 &&
      html`<details class="disclosure">
        <summary>${t('accounts.ips', { count: ips.length })}</summary>
        <div>
          <ul class="links">
            ${ips}
          </ul>
        </div>
      </details>`,
  ])
}

async function strikeTable({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const strikes = await strikesOf(context.database, account)
  const rows = strikes.map(strike => [
    time(strike.created_at, translator),
    [
      actionLabel(translator, strike.action),
      strike.overruled && html` ${badge(t('strike.overruled'), 'good')}`,
      strike.appeal !== null &&
        html` ${badge(t(`strike.appeal.${strike.appeal as 'pending' | 'approved' | 'rejected'}`))}`,
    ],
    strike.moderator === null ? t('audit_log.operator') : `@${strike.moderator}`,
    [
      paragraphs(strike.text),
      strike.report_id !== null &&
        html`<a href="/admin/reports/${strike.report_id}">${t('strike.report', { id: strike.report_id })}</a>`,
    ],
  ])
  return section(
    'strikes',
    t('accounts.strikes'),
    table({
      caption: t('accounts.strikes'),
      columns: [
        { label: t('audit_log.time') },
        { label: t('audit_log.action') },
        { label: t('audit_log.moderator') },
        { label: t('strike.text') },
      ],
      rows,
      empty: t('accounts.no_strikes'),
    }),
  )
}

async function logTable({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const page = await readLog(context.database, { target_type: 'Account', target_id: account }, LOG_ENTRIES)
  return section('log', t('audit_log.title'), [
    table({
      caption: t('audit_log.title'),
      columns: logColumns(translator),
      rows: page.entries.map(entry => entryCells(entry, translator)),
      empty: t('audit_log.none'),
    }),
    page.hasOlder &&
      html`<p><a href="/admin/audit_log?target_type=Account&target_id=${account}">${t('accounts.whole_log')}</a></p>`,
  ])
}

async function inviteTable({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const invites = await invitesOf(context.database, account)
  if (invites.length === 0) return null
  const rows = invites.map(({ code, uses, max_uses: most, expires_at: end, created_at: since }) => [
    html`<span class="code">${code}</span>`,
    `${uses} / ${most ?? '∞'}`,
    time(since, translator),
    end === null ? '–' : time(end, translator),
  ])
  const columns = [
    'accounts.invite',
    'accounts.invite_uses',
    'accounts.invite_created',
    'accounts.invite_expires',
  ] as const
  return section('invites', t('accounts.invites'), [
    table({ caption: t('accounts.invites'), columns: columns.map(key => ({ label: t(key) })), rows, empty: '' }),
    html`<p><a href="${LIST}?invited_by=${account}">${t('accounts.invited')}</a></p>`,
  ])
}

/** The page of one account, also shown again after an invalid form. */
export async function accountPage(staff: Staff, id: Id, alert?: string) {
  const { context, viewer, webSession, t, translator } = staff
  const found = await factsOf(staff, id)
  const people = await loadPeople(context, found.invited_by === null ? [id] : [id, found.invited_by])
  const account = people.found.get(id)
  const may = (name: Parameters<typeof hasPermission>[1]): boolean => hasPermission(viewer, name)
  const state = {
    suspended: found.suspended_at !== null || found.deletion_requested_at !== null,
    silenced: found.silenced_at !== null,
    sensitized: found.sensitized_at !== null,
    disabled: found.disabled,
    confirmed: found.confirmed,
    approved: found.approved,
    hasUser: found.user_id !== null,
    memorial: found.memorial,
  }
  const reports = (parameter: string, count: number): Content =>
    count > 0 && may('manage_reports')
      ? html`<a href="/admin/reports?state=all&${parameter}=${id}">${count}</a>`
      : count
  const profile = section('profile', t('accounts.profile'), [
    html`<div class="line">
      ${personOr(people, id, found.handle)} <span class="end line">${stateBadges(state, translator)}</span>
    </div>`,
    account && account.note !== '' && html`<div class="note" dir="auto">${new Html(account.note)}</div>`,
    facts([
      [t('accounts.created'), time(found.created_at, translator)],
      [t('accounts.deletion'), found.deletion_requested_at && time(found.deletion_requested_at, translator)],
      [t('accounts.by_domain'), found.domain],
      [t('accounts.statuses'), account && html`<a href="${accountPath(id)}/statuses">${account.statuses_count}</a>`],
      [t('accounts.followers'), account?.followers_count],
      [t('accounts.following'), account?.following_count],
      [t('accounts.email_subscribers'), found.email_subscribers > 0 && found.email_subscribers],
      [t('accounts.reports_about'), reports('target_account_id', found.reports_about)],
      [t('accounts.reports_by'), reports('account_id', found.reports_by)],
      [t('accounts.invited_by'), found.invited_by !== null && personOr(people, found.invited_by, '–')],
    ]),
  ])
  const notes = may('manage_reports')
    ? section(
        'notes',
        t('notes.title'),
        noteList(staff, await listNotes(context.database, { account: id }), {
          action: `${accountPath(id)}/notes`,
          csrfToken: webSession.csrfToken(),
        }),
      )
    : null
  return {
    title: `@${found.handle}`,
    place: LIST,
    trail: [[LIST, t('accounts.title')]] as const,
    alert,
    actions: account && [
      linkButton(`${accountPath(id)}/statuses`, t('accounts.statuses')),
      linkButton(account.url, t('accounts.public_page')),
    ],
    body: html`<div class="columns">
        <div>${profile} ${loginFacts(found, staff)} ${notes}</div>
        <div>${await accountForms(staff, found)}</div>
      </div>
      ${await strikeTable(staff, id)} ${may('manage_invites') && (await inviteTable(staff, id))}
      ${may('view_audit_log') && (await logTable(staff, id))}`,
    shown: people.origins,
  }
}

export const showAccount = staffView({
  path: `${LIST}/:id`,
  summary: 'One account with its state, strikes, notes and actions',
  permissions: ['manage_users'],
  params: { id: param.id() },
  show: ({ id }, staff) => accountPage(staff, id),
})
