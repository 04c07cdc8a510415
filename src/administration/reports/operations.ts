import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { resolveReports } from '../../moderation/index.ts'
import { assignReport, categorizeReport, REPORT_CATEGORIES, reopenReport } from '../../moderation/reports/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { cursorsOf, list, page, param, type Context, type Json } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { findReports } from './find.ts'
import { renderAdminReports } from './render.ts'

const reportQuery = query('administration/reports/find', { report: c.id }, { id: c.id })

const PATH = '/api/v1/admin/reports'
const params = { id: param.id({ description: 'the report' }) }

const findReportId = async ({ id }: { readonly id: Id }, { database }: Context<'admin'>): Promise<Id | undefined> =>
  (await database.one(reportQuery, { report: id }))?.id

async function renderReport(context: Context<'admin'>, id: Id): Promise<Json> {
  const entity = (await renderAdminReports(context, context.viewer, [id])).get(id)
  if (!entity) throw new ApiError('notFound')
  return entity
}

const listReports = adminOperation({
  method: 'GET',
  path: PATH,
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  summary: 'List reports, by default the open ones',
  params: {
    resolved: param.boolean({ default: false, description: 'only resolved ones' }),
    unresolved: param.boolean({ default: false, description: 'with `resolved`: all' }),
    account_id: param.id({ optional: true, description: 'by this account' }),
    target_account_id: param.id({ optional: true, description: 'about this account' }),
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(100, 200),
  },
  returns: '[Admin::Report]',
  async handle(parameters, context) {
    const { resolved, unresolved, account_id: reporter, target_account_id: target } = parameters
    const state = resolved ? (unresolved ? undefined : 'resolved') : 'open'
    const ids = await findReports(context.database, { state, reporter, target }, parameters)
    const entities = await renderAdminReports(context, context.viewer, ids)
    const items = list(ids.flatMap(id => entities.get(id) ?? []))
    const keep = ['resolved', 'unresolved', 'account_id', 'target_account_id']
    return page(
      items,
      cursorsOf(ids, id => id),
      context.request,
      parameters,
      { keep },
    )
  },
})

const showReport = adminOperation({
  method: 'GET',
  path: `${PATH}/:id`,
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  summary: 'Show a report with all details for staff',
  params,
  returns: 'Admin::Report',
  find: findReportId,
  handle: (_, context, id: Id) => renderReport(context, id),
})

const updateReport = adminOperation({
  method: ['PUT', 'PATCH'],
  path: `${PATH}/:id`,
  scopes: ['admin:write:reports'],
  permission: 'manage_reports',
  summary: 'Change the category of a report',
  params: {
    ...params,
    category: param.string({ optional: true, blank: 'missing', description: REPORT_CATEGORIES.join(', ') }),
    rule_ids: param.strings({ optional: true, scalar: true, description: 'rules that were broken' }),
  },
  returns: 'Admin::Report',
  find: findReportId,
  async handle({ category, rule_ids: ruleIds }, context, id: Id) {
    await categorizeReport(context.database, context.viewer.id, id, { category, ruleIds })
    return renderReport(context, id)
  },
})

interface Change {
  readonly name: string
  readonly summary: string
  apply(context: Context<'admin'>, report: Id): Promise<unknown>
}

const CHANGES: readonly Change[] = [
  {
    name: 'assign_to_self',
    summary: 'Assign a report to the caller',
    apply: ({ database, viewer }, report) => assignReport(database, viewer.id, report, viewer.id),
  },
  {
    name: 'unassign',
    summary: 'Unassign a report',
    apply: ({ database, viewer }, report) => assignReport(database, viewer.id, report, null),
  },
  {
    name: 'resolve',
    summary: 'Resolve a report',
    apply: ({ database, viewer }, report) => resolveReports(database, viewer.id, { report }),
  },
  {
    name: 'reopen',
    summary: 'Reopen a resolved report',
    apply: ({ database, viewer }, report) => reopenReport(database, viewer.id, report),
  },
]

const changes = CHANGES.map(({ name, summary, apply }) =>
  adminOperation({
    method: 'POST',
    path: `${PATH}/:id/${name}`,
    scopes: ['admin:write:reports'],
    permission: 'manage_reports',
    summary,
    params,
    returns: 'Admin::Report',
    find: findReportId,
    async handle(_, context, id: Id) {
      await apply(context, id)
      return renderReport(context, id)
    },
  }),
)

/** The operations on reports of the admin API. */
export const operations = [listReports, showReport, updateReport, ...changes]
