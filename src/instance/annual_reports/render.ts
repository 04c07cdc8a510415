import { renderAccounts } from '../../accounts/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { Json, list } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'

/** The entity AnnualReportData. */
export interface ReportData {
  readonly archetype: string
  readonly top_statuses: { readonly by_reblogs: Id | null }
  readonly time_series: readonly { readonly statuses: number; readonly followers: number }[]
  readonly top_hashtags: readonly { readonly name: string; readonly count: number }[]
}

/** The columns of report queries. */
export const reportColumns = {
  id: c.id,
  year: c.integer,
  data: c.json<ReportData>(),
  schema_version: c.integer,
  share_key: c.text,
} as const

const findShared = query(
  'instance/annual_reports/shared',
  { account: c.id, year: c.integer, share_key: c.text },
  { data: c.json<ReportData>() },
)
const findYears = query('instance/annual_reports/years', { ids: c.ids }, { id: c.id, year: c.integer })

/** The entity AnnualReports of the viewer's reports. */
export async function renderAnnualReports(
  services: Services,
  viewer: Viewer,
  rows: readonly Row<typeof reportColumns>[],
): Promise<Json> {
  const top = [...new Set(rows.flatMap(row => row.data.top_statuses.by_reblogs ?? []))]
  const [accounts, statuses] = await Promise.all([
    renderAccounts(services, viewer, rows.length === 0 ? [] : [viewer.id]),
    renderStatuses(services, viewer, top),
  ])
  const reports = rows.map(({ year, data, schema_version, share_key }) => ({
    year,
    data,
    schema_version,
    share_url: `${services.config.publicUrl}/@${viewer.username}/wrapstodon/${year}/${share_key}`,
    account_id: viewer.id,
  }))
  return new Json(
    `{"annual_reports":${JSON.stringify(reports)},"accounts":${list([...accounts.values()]).text}` +
      `,"statuses":${list([...statuses.values()]).text}}`,
  )
}

/** An account's report of a year for holders of the link's key; undefined for others. */
export const sharedReport = async (
  { database }: Services,
  selection: { account: Id; year: number; share_key: string },
): Promise<ReportData | undefined> => (await database.one(findShared, selection))?.data

/** The AnnualReportEvent entities by the report's id. */
export async function renderAnnualReportEvents(
  { database }: Services,
  _viewer: Viewer,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Json>> {
  const rows = await database.run(findYears, { ids: [...ids] })
  return new Map(rows.map(({ id, year }) => [id, new Json(JSON.stringify({ year: String(year) }))]))
}
