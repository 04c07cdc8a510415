import type { ChangeOf, LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Shown } from './live_subscriptions.ts'
import { keyOf, type FeedName } from './name.ts'

/**
 * The statuses that belong to an account or boost one of its statuses, and those that no longer
 * exist.
 */
export interface Sorted {
  readonly byAccount: ReadonlySet<Id>
  readonly deleted: ReadonlySet<Id>
  /** The newest statuses of the account and boosts of them, when some feed may show older ones. */
  readonly newest: readonly Id[]
}

/**
 * The accounts that were hidden, by a suspension or because they are being deleted, and what live
 * feeds showed before. A feed is read again without them at once; its stream sends deletes for the
 * statuses that left it. One query finds these for all feeds together; a status whose row was
 * deleted before that query is sent when the log reaches its deletion. A feed of which only the
 * newest statuses were known may have shown older ones: it sends deletes for all of the account's
 * that it can have shown.
 */
export interface Departures {
  /**
   * Records what a feed showed when the account was hidden; when the event is repeated the first
   * record counts.
   */
  record(account: Id, name: FeedName, shown: Shown): void
  /** Recorded feeds whose streams have not sent their deletes yet. */
  of(account: Id): FeedName[]
  /** Recorded feeds that may have shown this status. */
  showing(account: Id, status: Id): FeedName[]
  /** Whether the stream of the feed still has to send the delete of this status; true only once. */
  take(account: Id, name: FeedName, status: Id): boolean
  /**
   * The statuses whose deletes the stream of the feed has to send.
   * @throws when they cannot be read
   */
  settle(account: Id, name: FeedName): Promise<readonly Id[]>
}

interface Departure {
  readonly feeds: Map<string, { readonly name: FeedName; readonly from: bigint; shown: Set<Id> }>
  sorted: Promise<Sorted> | undefined
}

/** The limit of recorded accounts: more than are suspended or deleted within seconds. */
const MAX_DEPARTURES = 1000

/** @param sort sorts these ids; `older`: finds the newest statuses of the account too */
export function createDepartures(
  sort: (account: Id, ids: ReadonlySet<Id>, older: boolean) => Promise<Sorted>,
): Departures {
  const departures = new Map<Id, Departure>()

  function unionOf({ feeds }: Departure): ReadonlySet<Id> {
    const ids = new Set<Id>()
    for (const { shown } of feeds.values()) for (const id of shown) ids.add(id)
    return ids
  }

  return {
    record(account, name, shown) {
      const departure = departures.get(account) ?? { feeds: new Map(), sorted: undefined }
      if (departure.feeds.has(keyOf(name))) return
      departure.feeds.set(keyOf(name), { name, from: shown.from, shown: new Set(shown.ids) })
      departure.sorted = undefined
      departures.set(account, departure)
      for (const oldest of departures.keys()) {
        if (departures.size <= MAX_DEPARTURES) break
        departures.delete(oldest)
      }
    },
    of: account => [...(departures.get(account)?.feeds.values() ?? [])].map(({ name }) => name),
    showing(account, status) {
      const names: FeedName[] = []
      for (const { name, shown } of departures.get(account)?.feeds.values() ?? [])
        if (shown.has(status)) names.push(name)
      return names
    },
    take: (account, name, status) => departures.get(account)?.feeds.get(keyOf(name))?.shown.delete(status) === true,
    async settle(account, name) {
      const departure = departures.get(account)
      const feed = departure?.feeds.get(keyOf(name))
      if (!departure || !feed) return []
      const isOlderWanted = [...departure.feeds.values()].some(({ from }) => from > 0n)
      const { byAccount, deleted, newest } = await (departure.sorted ??= sort(
        account,
        unionOf(departure),
        isOlderWanted,
      ))
      const left = [...feed.shown].filter(id => byAccount.has(id))
      for (const id of newest) if (BigInt(id) < feed.from) left.push(id)
      feed.shown = new Set([...feed.shown].filter(id => deleted.has(id)))
      if (feed.shown.size === 0) departure.feeds.delete(keyOf(name))
      if (departure.feeds.size === 0 && departures.get(account) === departure) departures.delete(account)
      return left
    },
  }
}

const HIDING: ReadonlySet<ChangeOf<'account.changed'>> = new Set(['suspended', 'deletion'])

/** Whether the event hides the account from everybody. */
export const isHiding = ({ kind, data }: LoggedEvent): boolean => kind === 'account.changed' && HIDING.has(data.change)
