import { refreshHeader, runningRefresh } from '../async_refreshes/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { empty, json, operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { idsOfYear, openCampaign } from './campaign.ts'
import { keyOf, orderReport } from './make.ts'
import { renderAnnualReports, reportColumns } from './render.ts'

const findUnread = query('instance/annual_reports/unread', { viewer: c.id }, reportColumns)
const findOfYear = query('instance/annual_reports/of_year', { viewer: c.id, year: c.integer }, reportColumns)
const markRead = query('instance/annual_reports/read', { viewer: c.id, year: c.integer }, { id: c.id })
const findEligible = query(
  'instance/annual_reports/eligible',
  { account: c.id, first: c.id, end: c.id },
  { eligible: c.boolean },
)

/** The polling interval of clients. */
const RETRY_SECONDS = 2

const year = param.integer({ missing: 404, description: 'calendar year' })

const showReports = operation({
  method: 'GET',
  path: '/api/v1/annual_reports',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List the yearly reports that the caller has not read yet',
  params: {},
  returns: 'AnnualReports',
  async handle(_, context) {
    const rows = await context.database.run(findUnread, { viewer: context.viewer.id })
    return renderAnnualReports(context, context.viewer, rows)
  },
})

const showReport = operation({
  method: 'GET',
  path: '/api/v1/annual_reports/:year',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'Show the annual report of a year, even if read',
  params: { year },
  returns: 'AnnualReports',
  async handle({ year: requestedYear }, context) {
    const row = await context.database.one(findOfYear, { viewer: context.viewer.id, year: requestedYear })
    if (!row) throw new ApiError('notFound')
    return renderAnnualReports(context, context.viewer, [row])
  },
})

async function isEligible(services: Services, account: Id, requestedYear: number): Promise<boolean> {
  if (openCampaign(services) !== requestedYear) return false
  return (await services.database.one(findEligible, { account, ...idsOfYear(requestedYear) }))?.eligible ?? false
}

const showState = operation({
  method: 'GET',
  path: '/api/v1/annual_reports/:year/state',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'Show whether the report of a year exists, is being generated or can be generated',
  params: { year },
  returns: 'AnnualReportState',
  async handle({ year: requestedYear }, context) {
    const { viewer, database } = context
    if (await database.one(findOfYear, { viewer: viewer.id, year: requestedYear })) return { state: 'available' }
    const running = await runningRefresh(database, keyOf({ account: viewer.id, year: requestedYear }))
    if (running !== undefined) return json({ state: 'generating' }, 200, refreshHeader(running, RETRY_SECONDS))
    return { state: (await isEligible(context, viewer.id, requestedYear)) ? 'eligible' : 'ineligible' }
  },
})

const generateReport = operation({
  method: 'POST',
  path: '/api/v1/annual_reports/:year/generate',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Generate the report of the current campaign',
  params: { year },
  returns: '{}',
  statuses: [200, 202],
  async handle({ year: requestedYear }, context) {
    const { viewer, database } = context
    const subject = { account: viewer.id, year: requestedYear }
    if (openCampaign(context) !== requestedYear) return {}
    if (await database.one(findOfYear, { viewer: viewer.id, year: requestedYear })) return {}
    const running = await orderReport(database, subject)
    return empty(202, running === undefined ? {} : refreshHeader(running, RETRY_SECONDS))
  },
})

const readReport = operation({
  method: 'POST',
  path: '/api/v1/annual_reports/:year/read',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Mark the report of a year as read',
  params: { year },
  returns: '{}',
  async handle({ year: requestedYear }, { viewer, database }) {
    if (!(await database.one(markRead, { viewer: viewer.id, year: requestedYear }))) throw new ApiError('notFound')
    return {}
  },
})

export const operations = [showReports, showReport, showState, generateReport, readReport]
