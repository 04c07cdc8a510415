import { c, query } from '../../platform/database/index.ts'
import { onEvents, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { RecentIds, type NewestIds } from './recent_ids.ts'

const findRecent = query(
  'timelines/feeds/recent',
  { limit: c.integer },
  { ids: c.nullable(c.ids), accounts: c.nullable(c.ids) },
)

/** A day of ten thousand people; 1.2 MB. */
const LIMIT = 50_000

/** The newest statuses of the server in memory, from which first pages of feeds are found. */
export interface RecentStatuses {
  /**
   * As `RecentIds.newest`; undefined also while the statuses are not in memory. They are loaded
   * when the server starts, and by the first call after `caches.cleared`.
   */
  newest(accounts: Iterable<Id>, limit: number, each: number): NewestIds | undefined
}

export const recentStatuses: (services: Services) => RecentStatuses = perServer(services => {
  const { database, events, logger, metrics } = services
  let recent: RecentIds | undefined
  /** While they are loaded: the events since, which the statement may have missed. */
  let missed: LoggedEvent[] | undefined
  let hits = 0
  let misses = 0

  function apply(ids: RecentIds, event: LoggedEvent): void {
    if (event.kind === 'status.created') ids.add(event.status_id, event.actor_id)
    else if (event.kind === 'status.deleted') ids.remove(event.status_id)
    else if (event.kind === 'account.deleted') ids.removeAccount(event.account_id)
  }

  async function load(): Promise<void> {
    const since: LoggedEvent[] = []
    missed = since
    try {
      const row = await database.one(findRecent, { limit: LIMIT })
      if (missed !== since) return
      recent = new RecentIds(row?.ids?.reverse() ?? [], row?.accounts?.reverse() ?? [], LIMIT)
      for (const event of since) apply(recent, event)
    } catch (error) {
      logger.warn({ err: error }, 'the newest statuses could not be read, the next feed tries again')
    }
    if (missed === since) missed = undefined
  }

  function onChange(event: LoggedEvent): void {
    if (recent) apply(recent, event)
    else missed?.push(event)
  }

  const subscriptions = [
    // As feeds do: a new status is added at its commit, before its turn in the log.
    onEvents(events.invalidations$, { 'status.created': onChange }),
    onEvents(events.local$, {
      'status.deleted': onChange,
      'account.deleted': onChange,
      'caches.cleared': ({ account_id: owner }) => {
        if (owner !== null) return
        recent = undefined
        missed = undefined
      },
    }),
  ]
  services.onClose(() => {
    for (const subscription of subscriptions) subscription.unsubscribe()
  })
  metrics.cache('recent_statuses', () => {
    const sizeBytes = recent?.sizeBytes ?? 0
    return { limitBytes: sizeBytes, sizeBytes, size: recent?.size ?? 0, hits, misses }
  })

  void load()
  return {
    newest(accounts, limit, each) {
      if (!recent && !missed) void load()
      const found = recent?.newest(accounts, limit, each)
      if (found) hits += 1
      else misses += 1
      return found
    },
  }
})
