import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
import { renderRules } from '../../instance/index.ts'
import { listNotes } from '../../moderation/index.ts'
import { REPORT_CATEGORIES } from '../../moderation/reports/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  actionButton,
  choices,
  facts,
  form,
  html,
  paragraphs,
  section,
  select,
  submit,
  time,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import { accountPath, findAccountDetails, statusBatch, strikeFields } from '../account_pages/index.ts'
import { staffView, type Staff, type StaffPage } from '../index.ts'
import { noteList, accountLink } from '../page_parts/index.ts'
import { renderAdminReports } from '../reports/index.ts'
import { collectionSection } from './collections.ts'
import { avatarOrigins, parseReport, type ShownReport } from './entity.ts'
import { REPORTS_PATH, stateBadge } from './list.ts'

/** The path of the page of a report. */
export const reportPath = (id: Id): string => `${REPORTS_PATH}/${id}`

/** @throws ApiError notFound */
export async function findReport({ context, viewer }: Staff, id: Id): Promise<ShownReport> {
  const entity = (await renderAdminReports(context, viewer, [id])).get(id)
  if (!entity) throw new ApiError('notFound')
  return parseReport(entity)
}

function aboutSection(report: ShownReport, staff: Staff): Html {
  const { t, translator } = staff
  const { assigned_account: assigned, action_taken_by_account: resolver, action_taken_at: resolvedAt } = report
  return section('report', t('reports.about'), [
    html`<div class="line">
      ${accountLink(report.target_account.account)} <span class="end">${stateBadge(report, staff)}</span>
    </div>`,
    report.comment !== '' && html`<blockquote class="quotation">${paragraphs(report.comment)}</blockquote>`,
    facts([
      [t('reports.reporter'), accountLink(report.account.account)],
      [t('reports.sent'), time(report.created_at, translator)],
      [t('reports.category'), t(`reports.category.${report.category}`)],
      [
        t('reports.rules'),
        report.rules.length > 0 &&
          html`<ul class="links">
            ${report.rules.map(({ text }) => html`<li>${text}</li>`)}
          </ul>`,
      ],
      [t('reports.forwarded'), report.forwarded !== null && t(report.forwarded ? 'staff.yes' : 'staff.no')],
      [t('reports.assigned'), assigned && accountLink(assigned.account)],
      [t('reports.resolved'), resolvedAt !== null && time(resolvedAt, translator)],
      [t('reports.resolved_by'), resolver && accountLink(resolver.account)],
    ]),
  ])
}

async function handlingSection(report: ShownReport, staff: Staff): Promise<Html> {
  const { context, webSession, viewer, t } = staff
  const path = reportPath(report.id)
  const button = (action: string, label: string, kind: 'primary' | 'plain' = 'plain'): Html =>
    actionButton({ action: `${path}/${action}`, csrfToken: webSession.csrfToken(), label, kind })
  const rules = await renderRules(context)
  // Rules that have been deleted since stay violated.
  const deleted = report.rules.filter(violated => !rules.some(({ id }) => id === violated.id))
  const offered = [...rules, ...deleted]
  return section('handling', t('reports.handling'), [
    html`<div class="buttons spaced">
      ${
        report.action_taken ? button('reopen', t('reports.reopen')) : button('resolve', t('reports.resolve'), 'primary')
      }
      ${
        report.assigned_account?.account.id === viewer.id
          ? button('unassign', t('reports.unassign'))
          : button('assign_to_self', t('reports.assign'))
      }
      ${report.assigned_account !== null && report.assigned_account.account.id !== viewer.id && button('unassign', t('reports.unassign'))}
    </div>`,
    form({ action: `${path}/category`, csrfToken: webSession.csrfToken() }, [
      select({
        label: t('reports.category'),
        name: 'category',
        choices: REPORT_CATEGORIES.map(category => [category, t(`reports.category.${category}`)] as const),
        value: report.category,
      }),
      offered.length > 0 &&
        choices({
          legend: t('reports.rules'),
          name: 'rule_ids',
          choices: offered.map(({ id, text }) => [id, text] as const),
          chosen: new Set(report.rules.map(({ id }) => id)),
          hint: t('reports.rules_hint'),
        }),
      submit(t('staff.save'), 'plain'),
    ]),
  ])
}

async function actionSection(report: ShownReport, staff: Staff): Promise<Content> {
  const { webSession, viewer, t } = staff
  const details = await findAccountDetails(staff, report.target_account.account.id)
  const link =
    hasPermission(viewer, 'manage_users') &&
    html`<p><a href="${accountPath(details.id)}">${t('reports.account')}</a></p>`
  return section('action', t('reports.act'), [
    link,
    details.outranks
      ? form(
          { action: `${reportPath(report.id)}/action`, csrfToken: webSession.csrfToken() },
          await strikeFields(staff, details),
        )
      : html`<p class="quiet">${t('accounts.outranked')}</p>`,
  ])
}

/** The page of a report, also shown again after an invalid form. */
export async function reportPage(staff: Staff, id: Id, alert?: string, written?: string): Promise<StaffPage> {
  const { context, webSession, t } = staff
  const report = await findReport(staff, id)
  const path = reportPath(id)
  const statuses = await statusBatch(
    staff,
    report.statuses.map(status => status.id),
    { action: `${path}/statuses`, back: path, empty: t('reports.no_statuses'), mayAct: true, reported: true },
  )
  const notes = await listNotes(context.database, { report: id })
  return {
    ...statuses,
    title: t('reports.one', { id }),
    navigationPath: REPORTS_PATH,
    breadcrumbs: [[REPORTS_PATH, t('reports.title')]],
    alert,
    body: html`<div class="columns">
        <div>
          ${aboutSection(report, staff)} ${await collectionSection(staff, id)}
          ${section('notes', t('notes.title'), noteList(staff, notes, { action: `${path}/notes`, csrfToken: webSession.csrfToken(), written }))}
        </div>
        <div>${await handlingSection(report, staff)} ${await actionSection(report, staff)}</div>
      </div>
      <h2>${t('reports.statuses')}</h2>
      ${statuses.body}`,
    fileOrigins: [...(statuses.fileOrigins ?? []), ...avatarOrigins(report)],
  }
}

export const showReport = staffView({
  path: `${REPORTS_PATH}/:id`,
  summary: 'Show a report with its statuses, notes and actions',
  permissions: ['manage_reports'],
  params: { id: param.id() },
  show: ({ id }, staff) => reportPage(staff, id),
})
