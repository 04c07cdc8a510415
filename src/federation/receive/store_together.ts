import { setImmediate } from 'node:timers/promises'
import type { Id } from '../../core/id.ts'
import { c, createBatcher, isRetryable, query, type Runner } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { removeStatuses } from '../../statuses/index.ts'
import { withdrawFeature } from './feature_answers.ts'
import type { NoteMedia, NotePoll } from './note_parts.ts'
import { withdrawQuote } from './quote_answers.ts'
import { inReceipt } from './receiving.ts'
import { removeCollection } from './remote_collections.ts'

/** The parameters of receive_statuses. */
export interface StatusToStore {
  readonly author: Id
  readonly uri: string
  readonly page: string | null
  readonly content: string
  readonly spoiler_text: string
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct' | 'limited'
  readonly sensitive: boolean
  readonly language: string | null
  readonly published: Date
  readonly parent: Id | null
  readonly conversation: string | null
  readonly mentioned: readonly Id[]
  readonly silent: readonly Id[]
  readonly tags: readonly string[]
  readonly display_tags: readonly string[]
  readonly media: readonly NoteMedia[]
  readonly poll: NotePoll | null
  readonly quote_policy: string
  readonly notified: boolean
  readonly has_link: boolean
  readonly missing_parent: string | null
  readonly depth: number
}

interface Boost {
  readonly actor: Id
  readonly status: Id
  readonly uri: string
  readonly visibility: 'public' | 'unlisted' | 'private'
  readonly published: Date
  readonly notified: boolean
}

interface Deletion {
  readonly author: Id
  readonly uri: string
}

export const storeStatuses = query(
  'federation/receive/statuses',
  { given: c.json<readonly StatusToStore[]>() },
  { place: c.integer, id: c.id, poll_id: c.nullable(c.id), events: c.events },
)
const storeBoosts = query(
  'federation/receive/boosts',
  { given: c.json<readonly Boost[]>() },
  { place: c.integer, id: c.id, events: c.events },
)
const beginDeletions = query(
  'federation/receive/begin_deletions',
  { authors: c.ids, uris: c.texts },
  { receiving: c.text, defer_notify: c.text, place: c.integer, known: c.boolean, id: c.nullable(c.id) },
)

/**
 * The transactions that store what other servers send, one at a time: those that wait share the
 * next, and requests have the other connections. Those that change the same counters do not wait
 * for each other's locks.
 */
const turns = perServer(() => {
  let last: Promise<void> = Promise.resolve()
  return (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(() => setImmediate()).then(work)
    last = turn.catch(() => undefined)
    return turn
  }
})

/** Runs a statement that several share, again when it met another transaction. */
async function storeAll<T>(services: Services, store: (runner: Runner) => Promise<T>): Promise<T> {
  return services.events.notifyAfter(
    store(services.database).catch((error: unknown) => {
      if (!isRetryable(error)) throw error
      return inReceipt(services, store)
    }),
  )
}

/** Stores a status of another server (receive_statuses); undefined when it exists or is gone. */
export const receiveStatus = perServer(services =>
  createBatcher<StatusToStore, { id: Id; place: number }>({
    turn: turns(services),
    runMany: given => storeAll(services, runner => runner.run(storeStatuses, { given })),
  }),
)

/** Stores a boost of another server (receive_boosts); undefined when it exists or was undone. */
export const receiveBoost = perServer(services =>
  createBatcher<Boost, { id: Id; place: number }>({
    turn: turns(services),
    runMany: given => storeAll(services, runner => runner.run(storeBoosts, { given })),
  }),
)

/** Deletes the status, boost, collection or permission of an author that has a URI. */
async function deleteAll(transaction: Runner, given: readonly Deletion[]): Promise<void> {
  const authors = given.map(({ author }) => author)
  const rows = await transaction.run(beginDeletions, { authors, uris: given.map(({ uri }) => uri) })
  const statuses = rows.flatMap(({ place, id }) => {
    const author = authors[place - 1]
    return id === null || author === undefined ? [] : [{ author, status: id }]
  })
  for (const { place, known } of rows) {
    const { author, uri } = given[place - 1] ?? {}
    if (known || author === undefined || uri === undefined) continue
    await withdrawQuote(transaction, author, uri)
    await withdrawFeature(transaction, author, uri)
    await removeCollection(transaction, author, uri)
  }
  if (statuses.length > 0) await removeStatuses(transaction, statuses)
}

/** Deletes what has a URI of an author. It may come before what it deletes. */
export const receiveDeletion = perServer(services =>
  createBatcher<Deletion, { place: number }>({
    turn: turns(services),
    async runMany(given) {
      await services.events.notifyAfter(services.database.transaction(transaction => deleteAll(transaction, given)))
      return []
    },
  }),
)
