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
import { actionLabel, loadAccounts, noteList, accountLinkOr } from '../page_parts/index.ts'
import { accountForms } from './forms.ts'
import { findAccountDetails, listInvites, listStrikes, type AccountDetails } from './details.ts'
import { ACCOUNTS_PATH } from './list.ts'
import { stateBadges } from './state_badges.ts'

const MAX_LOG_ENTRIES = 20

/** The path of the staff's page of an account. */
export const accountPath = (id: Id): string => `${ACCOUNTS_PATH}/${id}`

function loginSection(account: AccountDetails, { t, translator }: Staff): Content {
  if (account.user_id === null) return null
  const ips = account.ips.map(
    ({ ip, used_at: used }) =>
      html`<li>
        <a class="code" href="${ACCOUNTS_PATH}?ip=${encodeURIComponent(ip)}">${ip}</a> ${time(used, translator)}
      </li>`,
  )
  return section('login', t('accounts.login'), [
    facts([
      [t('accounts.email'), account.email],
      [t('accounts.unconfirmed_email'), account.unconfirmed_email],
      [t('accounts.confirmed'), t(account.confirmed ? 'staff.yes' : 'staff.no')],
      [t('accounts.second_factor'), t(account.second_factor ? 'staff.yes' : 'staff.no')],
      [t('accounts.locale'), account.locale],
      [t('accounts.signed_in'), account.current_sign_in_at && time(account.current_sign_in_at, translator)],
      [t('accounts.last_active'), account.last_active_at && time(account.last_active_at, translator)],
      [t('accounts.application'), account.application],
    ]),
    account.sign_up_reason !== null &&
      account.sign_up_reason !== '' && [
        html`<p>${t('accounts.reason')}</p>`,
        html`<blockquote class="quotation">${paragraphs(account.sign_up_reason)}</blockquote>`,
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

async function strikeSection({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const strikes = await listStrikes(context.database, account)
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

async function logSection({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const page = await readLog(context.database, { target_type: 'Account', target_id: account }, MAX_LOG_ENTRIES)
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

async function inviteSection({ context, t, translator }: Staff, account: Id): Promise<Content> {
  const invites = await listInvites(context.database, account)
  if (invites.length === 0) return null
  const rows = invites.map(({ code, uses, max_uses: maxUses, expires_at: end, created_at: since }) => [
    html`<span class="code">${code}</span>`,
    `${uses} / ${maxUses ?? '∞'}`,
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
    html`<p><a href="${ACCOUNTS_PATH}?invited_by=${account}">${t('accounts.invited')}</a></p>`,
  ])
}

/** The page of one account, also shown again after an invalid form. */
export async function accountPage(staff: Staff, id: Id, alert?: string, written?: string) {
  const { context, viewer, webSession, t, translator } = staff
  const details = await findAccountDetails(staff, id)
  const accounts = await loadAccounts(context, details.invited_by === null ? [id] : [id, details.invited_by])
  const account = accounts.byId.get(id)
  const may = (name: Parameters<typeof hasPermission>[1]): boolean => hasPermission(viewer, name)
  const state = {
    suspended: details.suspended_at !== null || details.deletion_requested_at !== null,
    silenced: details.silenced_at !== null,
    sensitized: details.sensitized_at !== null,
    disabled: details.disabled,
    confirmed: details.confirmed,
    approved: details.approved,
    hasUser: details.user_id !== null,
    memorial: details.memorial,
  }
  const reports = (parameter: string, count: number): Content =>
    count > 0 && may('manage_reports')
      ? html`<a href="/admin/reports?state=all&${parameter}=${id}">${count}</a>`
      : count
  const profile = section('profile', t('accounts.profile'), [
    html`<div class="line">
      ${accountLinkOr(accounts, id, details.handle)} <span class="end line">${stateBadges(state, translator)}</span>
    </div>`,
    account && account.note !== '' && html`<div class="note" dir="auto">${new Html(account.note)}</div>`,
    facts([
      [t('accounts.created'), time(details.created_at, translator)],
      [t('accounts.deletion'), details.deletion_requested_at && time(details.deletion_requested_at, translator)],
      [t('accounts.by_domain'), details.domain],
      [t('accounts.statuses'), account && html`<a href="${accountPath(id)}/statuses">${account.statuses_count}</a>`],
      [t('accounts.followers'), account?.followers_count],
      [t('accounts.following'), account?.following_count],
      [t('accounts.email_subscribers'), details.email_subscribers > 0 && details.email_subscribers],
      [t('accounts.reports_about'), reports('target_account_id', details.reports_about)],
      [t('accounts.reports_by'), reports('account_id', details.reports_by)],
      [t('accounts.invited_by'), details.invited_by !== null && accountLinkOr(accounts, details.invited_by, '–')],
    ]),
  ])
  const notes = may('manage_reports')
    ? section(
        'notes',
        t('notes.title'),
        noteList(staff, await listNotes(context.database, { account: id }), {
          action: `${accountPath(id)}/notes`,
          csrfToken: webSession.csrfToken(),
          written,
        }),
      )
    : null
  return {
    title: `@${details.handle}`,
    navigationPath: ACCOUNTS_PATH,
    breadcrumbs: [[ACCOUNTS_PATH, t('accounts.title')]] as const,
    alert,
    actions: account && [
      linkButton(`${accountPath(id)}/statuses`, t('accounts.statuses')),
      linkButton(account.url, t('accounts.public_page')),
    ],
    body: html`<div class="columns">
        <div>${profile} ${loginSection(details, staff)} ${notes}</div>
        <div>${await accountForms(staff, details)}</div>
      </div>
      ${await strikeSection(staff, id)} ${may('manage_invites') && (await inviteSection(staff, id))}
      ${may('view_audit_log') && (await logSection(staff, id))}`,
    fileOrigins: accounts.origins,
  }
}

export const showAccount = staffView({
  path: `${ACCOUNTS_PATH}/:id`,
  summary: 'Show an account with its state, strikes, notes and actions',
  permissions: ['manage_users'],
  params: { id: param.id() },
  show: ({ id }, staff) => accountPage(staff, id),
})
