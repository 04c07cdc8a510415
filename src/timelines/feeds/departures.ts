import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { keyOf, type FeedName } from './name.ts'

/** Which of some statuses are an account's or boost it, and which do not exist any more. */
export interface Sorted {
  readonly theirs: ReadonlySet<Id>
  readonly gone: ReadonlySet<Id>
}

/**
 * Accounts that were hidden, by a suspension or because they are being removed, and what watched feeds showed before. A feed is read anew
 * without them at once; its stream names the statuses that left it. Which these are one query tells for all feeds together; a status whose row was
 * removed before that query is named when the log comes to its deletion.
 */
export interface Departures {
  /** Notes what a feed showed when the account was hidden; of an event that comes twice the first counts. */
  note(account: Id, name: FeedName, shown: Iterable<Id>): void
  /** Feeds that were noted and whose streams have not been told yet. */
  of(account: Id): FeedName[]
  /** Those that may have shown this status. */
  showing(account: Id, status: Id): FeedName[]
  /** Whether the stream of the feed has yet to name the deleted status; asked once. */
  take(account: Id, name: FeedName, status: Id): boolean
  /** The statuses that the stream of the feed has to name. @throws when they could not be read */
  settle(account: Id, name: FeedName): Promise<readonly Id[]>
}

interface Departure {
  readonly feeds: Map<string, { readonly name: FeedName; shown: Set<Id> }>
  sorted: Promise<Sorted> | undefined
}

/** Accounts that are noted at a time: more than are suspended or removed in a moment. */
const KEPT = 1000

export function createDepartures(sort: (account: Id, ids: ReadonlySet<Id>) => Promise<Sorted>): Departures {
  const departures = new Map<Id, Departure>()

  function unionOf({ feeds }: Departure): ReadonlySet<Id> {
    const ids = new Set<Id>()
    for (const { shown } of feeds.values()) for (const id of shown) ids.add(id)
    return ids
  }

  return {
    note(account, name, shown) {
      const departure = departures.get(account) ?? { feeds: new Map(), sorted: undefined }
      if (departure.feeds.has(keyOf(name))) return
      departure.feeds.set(keyOf(name), { name, shown: new Set(shown) })
      departure.sorted = undefined
      departures.set(account, departure)
      for (const oldest of departures.keys()) {
        if (departures.size <= KEPT) break
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
      const { theirs, gone } = await (departure.sorted ??= sort(account, unionOf(departure)))
      const told = [...feed.shown].filter(id => theirs.has(id))
      feed.shown = new Set([...feed.shown].filter(id => gone.has(id)))
      if (feed.shown.size === 0) departure.feeds.delete(keyOf(name))
      if (departure.feeds.size === 0 && departures.get(account) === departure) departures.delete(account)
      return told
    },
  }
}

const HIDING = new Set(['suspended', 'deletion'])

/** Whether the event says that nobody sees the account any more. */
export const isHiding = ({ kind, data }: LoggedEvent): boolean =>
  kind === 'account.changed' && HIDING.has(String(data['what']))
