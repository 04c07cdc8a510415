import { hasPermission } from '../../core/permissions.ts'
import type { Id } from '../../core/id.ts'
import { STATUS_ACTIONS } from '../../moderation/index.ts'
import { param, redirect } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  facts,
  form,
  html,
  Html,
  linkButton,
  noDefaultButton,
  section,
  submitAs,
  textArea,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { languageName } from '../../platform/i18n/index.ts'
import { statusParts, STYLE, type ShownStatus } from '../../web/public/index.ts'
import { accountPath, REPORT_STATUSES } from '../account_pages/index.ts'
import { staffView, type Staff, type StaffPage } from '../index.ts'
import { actionLabel, loadStatuses, accountLink, statusPath, type LoadedEntities } from '../page_parts/index.ts'
import { findStatusDetails, findThreadIds, listVersions, type StatusDetails, type Version } from './details.ts'

const visibilityLabel = (visibility: StatusDetails['visibility'], { t }: Staff): string =>
  visibility === 'public' ? t('status_page.public') : t(`statuses.visibility.${visibility}`)

/** Reports and strikes that name the status. */
function moderationSection(details: StatusDetails, { t, translator, viewer }: Staff): Content {
  const maySeeReports = hasPermission(viewer, 'manage_reports')
  const reports = details.reports.map(({ id, resolved, at }) => {
    const name = t('reports.one', { id })
    return html`<li>
      ${maySeeReports ? html`<a href="/admin/reports/${id}">${name}</a>` : name}
      ${badge(t(resolved ? 'report.resolved' : 'report.open'), resolved ? 'good' : 'warning')}
      <span class="quiet">${time(at, translator)}</span>
    </li>`
  })
  const strikes = details.strikes.map(
    ({ action, at, overruled }) =>
      html`<li>
        ${actionLabel(translator, action)} ${overruled && badge(t('strike.overruled'), 'good')}
        <span class="quiet">${time(at, translator)}</span>
      </li>`,
  )
  const list = (title: string, items: readonly Html[], none: string): Content => [
    html`<h3>${title}</h3>`,
    items.length === 0
      ? html`<p class="quiet">${none}</p>`
      : html`<ul class="links">
          ${items}
        </ul>`,
  ]
  return section('reports', t('status_page.moderation'), [
    list(t('status_page.reports'), reports, t('status_page.no_reports')),
    list(t('accounts.strikes'), strikes, t('status_page.no_strikes')),
  ])
}

function aboutSection(details: StatusDetails, status: ShownStatus | undefined, staff: Staff): Content {
  const { t, translator } = staff
  const { in_reply_to_id: parent, edited_at: edited, deleted_at: deleted } = details
  return section('about', t('status_page.about'), [
    status && html`<div class="line">${accountLink(status.account)}</div>`,
    facts([
      [t('status_page.created'), time(details.created_at, translator)],
      [t('status_page.edited'), edited && time(edited, translator)],
      [t('status_page.deleted'), deleted && time(deleted, translator)],
      [t('status_page.visibility'), visibilityLabel(details.visibility, staff)],
      [t('status_page.language'), details.language && languageName(details.language, translator.language)],
      [t('status_page.application'), details.application],
      [t('status_page.sensitive'), t(details.sensitive ? 'staff.yes' : 'staff.no')],
      [t('status_page.in_reply_to'), parent !== null && html`<a href="${statusPath(parent)}">${parent}</a>`],
      [t('status_page.address'), details.uri !== null && html`<span class="code">${details.uri}</span>`],
    ]),
  ])
}

/** The actions that the moderator may take on the status. */
function actionsSection(details: StatusDetails, staff: Staff): Content {
  const { t, viewer, webSession } = staff
  if (details.deleted_at !== null) return null
  if (!hasPermission(viewer, 'manage_reports')) return null
  const offered = STATUS_ACTIONS.filter(
    action => action === 'delete_statuses' || (details.has_media && !details.sensitive),
  )
  return section('actions', t('accounts.actions'), [
    form({ action: `${statusPath(details.id)}/action`, csrfToken: webSession.csrfToken() }, [
      noDefaultButton,
      textArea({ label: t('accounts.message'), name: 'text', hint: t('accounts.message_hint') }),
      checkbox({ label: t('accounts.notify'), name: 'notify', required: false, checked: true }),
      checkbox({
        id: 'delete_sure',
        label: t('ui.batch_sure', { actions: t('statuses.delete_statuses') }),
        name: 'sure',
      }),
      html`<div class="buttons">
        ${offered.toReversed().map(action => {
          const deletes = action === 'delete_statuses'
          const kind = deletes ? 'danger' : 'plain'
          return submitAs('change', action, t(`statuses.${action}`), kind, { unchecked: !deletes })
        })}
        ${submitAs('change', REPORT_STATUSES, t('statuses.report'), 'plain', { unchecked: true })}
      </div>`,
    ]),
  ])
}

function versionEntry(version: Version, { t, translator }: Staff): Html {
  const { content, spoiler_text: warning, sensitive, poll, media } = version
  return html`<li class="entry">
    <p class="quiet">${time(version.created_at, translator)} ${sensitive && badge(t('status_page.sensitive'))}</p>
    ${warning !== '' && html`<p dir="auto"><strong>${warning}</strong></p>`}
    <div class="status" dir="auto">${new Html(content)}</div>
    ${
      poll.length > 0 &&
      html`<ul>
        ${poll.map(option => html`<li dir="auto">${option}</li>`)}
      </ul>`
    }
    ${
      media.length > 0 &&
      html`<p class="quiet">${t('status_page.version_media', { count: media.length })}</p>
        <ul>
          ${media.map(text => html`<li dir="auto">${text === '' ? t('status_page.undescribed') : text}</li>`)}
        </ul>`
    }
  </li>`
}

const historySection = (versions: readonly Version[], staff: Staff): Content =>
  versions.length > 0 &&
  section(
    'history',
    staff.t('status_page.history'),
    html`<ol class="entries" reversed>
      ${versions.map(version => versionEntry(version, staff))}
    </ol>`,
  )

/** The article of a status, with a link to its page for the staff unless that is the page. */
const article = (status: ShownStatus, staff: Staff, isFocused = false): Html =>
  html`<article class="card section status" id="status_${status.id}">
    <div class="line">
      ${status.visibility !== 'public' && badge(visibilityLabel(status.visibility, staff))}
      ${status.sensitive && badge(staff.t('status_page.sensitive'), 'warning')}
      ${!isFocused && html`<a class="end" href="${statusPath(status.id)}">${staff.t('status_page.details')}</a>`}
    </div>
    ${statusParts(status, staff.translator)}
  </article>`

function threadPart(ids: readonly Id[], heading: string, loaded: LoadedEntities<ShownStatus>, staff: Staff): Content {
  const statuses = ids.flatMap(id => loaded.byId.get(id) ?? [])
  return statuses.length > 0 && [html`<h2>${heading}</h2>`, statuses.map(status => article(status, staff))]
}

async function statusPage(staff: Staff, id: Id, details: StatusDetails): Promise<StaffPage> {
  const { context, t } = staff
  const [thread, versions] = await Promise.all([findThreadIds(staff, id), listVersions(context.database, id)])
  const loaded = await loadStatuses(context, [id, ...thread.above, ...thread.below], true)
  const status = loaded.byId.get(id)
  const account = accountPath(details.account_id)
  return {
    title: t('statuses.one', { id }),
    navigationPath: '/admin/accounts',
    breadcrumbs: [
      ['/admin/accounts', t('accounts.title')],
      [account, `@${details.handle}`],
      [`${account}/statuses`, t('accounts.statuses')],
    ],
    head: STYLE,
    fileOrigins: loaded.origins,
    actions: details.deleted_at === null && status?.url && linkButton(status.url, t('accounts.public_page')),
    body: html`${details.deleted_at !== null && html`<p class="alert">${t('status_page.is_deleted')}</p>`}
      ${threadPart(thread.above, t('status_page.above'), loaded, staff)}
      <div class="columns">
        <div>
          ${status && article(status, staff, true)} ${historySection(versions, staff)} ${actionsSection(details, staff)}
        </div>
        <div>${aboutSection(details, status, staff)} ${moderationSection(details, staff)}</div>
      </div>
      ${threadPart(thread.below, t('status_page.below'), loaded, staff)}`,
  }
}

/** The page of a status; that of a boost redirects to the boosted status. */
export const showStatus = staffView({
  path: '/admin/statuses/:id',
  summary: 'Show a status with its versions, reports, thread and actions',
  permissions: ['manage_reports', 'manage_users'],
  params: { id: param.id() },
  async show({ id }, staff) {
    const details = await findStatusDetails(staff, id)
    return details.reblog_of_id === null ? statusPage(staff, id, details) : redirect(statusPath(details.reblog_of_id))
  },
})

/** The address of a status for the staff in Mastodon, which clients link to. */
export const showStatusOfAccount = staffView({
  path: '/admin/accounts/:id/statuses/:status_id',
  summary: 'Redirect to the page of a status',
  permissions: ['manage_reports', 'manage_users'],
  params: { id: param.id(), status_id: param.id() },
  show: ({ status_id: id }) => redirect(statusPath(id)),
})
