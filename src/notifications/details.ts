import { renderAnnualReportEvents } from '../instance/annual_reports/index.ts'
import { renderCollections } from '../accounts/collections/index.ts'
import { c, query } from '../platform/database/index.ts'
import type { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import { renderWarnings } from '../moderation/index.ts'
import type { Viewer } from '../core/viewer.ts'
import { renderReports } from '../moderation/reports/index.ts'
import type { Services } from '../platform/services.ts'
import { renderSeverances } from './severances.ts'
import type { NotificationType } from './type.ts'

const findActivities = query('notifications/activities', { ids: c.ids }, { id: c.id, activity_id: c.nullable(c.id) })

/** A member that notifications of a type have in addition to, or instead of, the status. */
interface Detail {
  readonly member: string
  /** Renders the activities by their ids. */
  render(services: Services, viewer: Viewer, activities: readonly Id[]): Promise<ReadonlyMap<Id, Json>>
  /** Only groups have it. */
  readonly grouped?: true
}

const DETAILS: Readonly<Partial<Record<NotificationType, Detail>>> = {
  severed_relationships: { member: 'event', render: renderSeverances },
  'admin.report': { member: 'report', render: renderReports },
  moderation_warning: { member: 'moderation_warning', render: renderWarnings },
  added_to_collection: { member: 'collection', render: renderCollections },
  collection_update: { member: 'collection', render: renderCollections },
  annual_report: { member: 'annual_report', render: renderAnnualReportEvents, grouped: true },
}

const NONE: ReadonlyMap<Id, string> = new Map()

interface Row {
  readonly id: Id
  readonly type: string
}

/**
 * The type-specific members of notifications or groups: JSON that begins with a comma, by
 * notification. Notifications without such members are missing.
 * @param rows notifications of the viewer
 */
export async function renderDetails(
  services: Services,
  viewer: Viewer,
  rows: readonly Row[],
  { grouped }: { grouped: boolean },
): Promise<ReadonlyMap<Id, string>> {
  if (!rows.some(row => row.type in DETAILS)) return NONE
  const requested = Object.entries(DETAILS).flatMap(([type, detail]) => {
    const ids = rows.filter(row => row.type === type).map(row => row.id)
    return ids.length > 0 && (grouped || !detail.grouped) ? [{ detail, ids }] : []
  })
  if (requested.length === 0) return NONE
  const found = await services.database.run(findActivities, { ids: requested.flatMap(({ ids }) => ids) })
  const activities = new Map(found.flatMap(row => (row.activity_id === null ? [] : [[row.id, row.activity_id]])))
  const parts = await Promise.all(
    requested.map(async ({ detail, ids }) => {
      const rendered = await detail.render(services, viewer, [...new Set(ids.flatMap(id => activities.get(id) ?? []))])
      return ids.flatMap((id): [Id, string][] => {
        const shown = rendered.get(activities.get(id) ?? '')
        return shown ? [[id, `,"${detail.member}":${shown.text}`]] : []
      })
    }),
  )
  return new Map(parts.flat())
}
