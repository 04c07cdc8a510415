import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

/** A filter of reports in the admin API and pages. */
export interface ReportFilter {
  readonly state?: 'open' | 'resolved' | undefined
  readonly reporter?: Id | undefined
  readonly target?: Id | undefined
  /** The domain of the reported account. */
  readonly targetDomain?: string | undefined
  /** The moderator to whom the report is assigned. */
  readonly assignee?: Id | undefined
}

const idsQuery = query(
  'administration/reports/list',
  {
    filter: c.json<Readonly<Record<string, string | undefined>>>(),
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { id: c.id },
)

/** The ids of the reports, newest first. */
export async function findReports(runner: Runner, filter: ReportFilter, range: Range): Promise<Id[]> {
  const sqlFilter = {
    state: filter.state,
    account_id: filter.reporter,
    target_account_id: filter.target,
    target_domain: filter.targetDomain,
    assigned_account_id: filter.assignee,
  }
  return (await runner.run(idsQuery, { filter: sqlFilter, ...rangeParameters(range) })).map(({ id }) => id)
}
