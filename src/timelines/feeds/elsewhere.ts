import { c, query } from '../../platform/database/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { runInTimeSlices, type Steps } from '../../core/time_slices.ts'
import type { Services } from '../../platform/services.ts'
import { isHiding } from './departures.ts'
import type { FeedCache } from './feed_cache.ts'
import { keyOf, type FeedName } from './name.ts'
import { recordHidden } from './live_subscriptions.ts'

const elsewhere = query(
  'timelines/feeds/elsewhere',
  { account: c.id, statuses: c.integer, boosts_each: c.integer },
  { id: c.id, author: c.id, tags: c.texts },
)

/**
 * Bounds the query, because an account may have any number of both. An older status that was
 * boosted recently, and one whose booster has many later statuses, stays on the screen until the
 * page is loaded again; no response contains it.
 */
const MAX_STATUSES = 2000
const MAX_BOOSTS_EACH = 200

/** A feed that showed statuses of a hidden account, and these. */
export interface Departed {
  readonly name: FeedName
  readonly statuses: Id[]
}

/** A query for the statuses of a hidden account that has not ended. */
interface Lookup {
  readonly account: Id
  /** The account was unsuspended since, so later deletions of its statuses are sent again. */
  reversed: boolean
}

type Row = { readonly id: Id; readonly author: Id; readonly tags: readonly string[] }

/**
 * Finds the watched feeds that show a hidden account's statuses by a hashtag or by another
 * account's boost. Feeds by which the account is followed are not among them: their departures are
 * recorded.
 *
 * Both functions must be called in the order of the log, because an account may be unsuspended
 * while its statuses are being looked up.
 */
export function createElsewhere({ database }: Pick<Services, 'database'>, cache: FeedCache) {
  const lookups = new Set<Lookup>()

  function* sort(rows: readonly Row[], lookup: Lookup, followers: ReadonlySet<string>): Steps<readonly Departed[]> {
    const departed = new Map<string, Departed>()
    for (const { id, author, tags } of rows) {
      for (const name of cache.watchedShowing(id, author, tags)) {
        const key = keyOf(name)
        const live = followers.has(key) ? undefined : cache.watchOf(name)
        if (!live || live.hidden.has(id)) continue
        if (!lookup.reversed) recordHidden(live, id, lookup.account)
        const known = departed.get(key)
        if (known) known.statuses.push(id)
        else departed.set(key, { name, statuses: [id] })
      }
      yield
    }
    return [...departed.values()]
  }

  async function find(account: Id): Promise<readonly Departed[]> {
    const followers = new Set(cache.departures.of(account).map(keyOf))
    const limits = { statuses: MAX_STATUSES, boosts_each: MAX_BOOSTS_EACH }
    const lookup: Lookup = { account, reversed: false }
    lookups.add(lookup)
    try {
      const rows = await database.run(elsewhere, { account, ...limits })
      return await runInTimeSlices(sort(rows, lookup, followers))
    } finally {
      lookups.delete(lookup)
    }
  }

  return {
    departed: (event: LoggedEvent): Promise<readonly Departed[]> | undefined =>
      event.account_id !== null && isHiding(event) ? find(event.account_id) : undefined,
    returned({ kind, data, account_id: account }: LoggedEvent): void {
      if (kind !== 'account.changed' || data.change !== 'unsuspended') return
      for (const lookup of lookups) if (lookup.account === account) lookup.reversed = true
      cache.forgetHidden(account)
    },
  }
}
