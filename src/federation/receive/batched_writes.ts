import { setImmediate } from 'node:timers/promises'
import type { Id } from '../../core/id.ts'
import { c, createBatcher, isRetryable, query, type Runner } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { removeStatuses } from '../../statuses/index.ts'
import { revokeFeature } from './feature_answers.ts'
import type { NoteMedia } from './note_media.ts'
import type { NotePoll } from './note_parts.ts'
import { revokeQuote } from './quote_answers.ts'
import { receivingTransaction } from './incoming_activity.ts'
import { deleteCollectionByUri } from './remote_collections.ts'

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
  /** The time of its last edit. */
  readonly edited: Date | null
  readonly parent: Id | null
  readonly conversation: string | null
  readonly mentioned: readonly Id[]
  readonly silent: readonly Id[]
  readonly tags: readonly string[]
  readonly display_tags: readonly string[]
  readonly media: readonly NoteMedia[]
  readonly poll: NotePoll | null
  readonly quote_policy: string
  readonly likes: number | null
  readonly shares: number | null
  readonly notified: boolean
  readonly has_link: boolean
  readonly link: string | null
  readonly parent_unknown: boolean
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
const lockUris = query('federation/receive/lock_uris', { uris: c.texts }, { locks: c.integer })
const beginDeletions = query(
  'federation/receive/begin_deletions',
  { authors: c.ids, uris: c.texts },
  { receiving: c.text, defer_notify: c.text, place: c.integer, known: c.boolean, id: c.nullable(c.id) },
)

/**
 * Runs the transactions that store activities one at a time. Writes that wait share the next
 * transaction, so none waits for another's locks on counters, and the other connections stay free
 * for requests.
 */
const writeQueue = perServer(() => {
  let last: Promise<void> = Promise.resolve()
  return (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(() => setImmediate()).then(work)
    last = turn.catch(() => undefined)
    return turn
  }
})

/** Runs a batch's statement, and repeats it after a conflict with another transaction. */
async function storeWithRetry<T>(services: Services, store: (runner: Runner) => Promise<T>): Promise<T> {
  return services.events.notifyAfter(
    store(services.database).catch((error: unknown) => {
      if (!isRetryable(error)) throw error
      return receivingTransaction(services, store)
    }),
  )
}

/** Stores a status of another server (receive_statuses); undefined when it exists or is gone. */
export const receiveStatus = perServer(services =>
  createBatcher<StatusToStore, { id: Id; place: number }>({
    turn: writeQueue(services),
    runMany: given => storeWithRetry(services, runner => runner.run(storeStatuses, { given })),
  }),
)

/** Stores a boost of another server (receive_boosts); undefined when it exists or was undone. */
export const receiveBoost = perServer(services =>
  createBatcher<Boost, { id: Id; place: number }>({
    turn: writeQueue(services),
    runMany: given => storeWithRetry(services, runner => runner.run(storeBoosts, { given })),
  }),
)

/** Deletes the authors' statuses, boosts, collections or authorizations with these URIs. */
async function deleteBatch(transaction: Runner, given: readonly Deletion[]): Promise<void> {
  const authors = given.map(({ author }) => author)
  const uris = given.map(({ uri }) => uri)
  await transaction.run(lockUris, { uris })
  const rows = await transaction.run(beginDeletions, { authors, uris })
  const statuses = rows.flatMap(({ place, id }) => {
    const author = authors[place - 1]
    return id === null || author === undefined ? [] : [{ author, status: id }]
  })
  for (const { place, known } of rows) {
    const { author, uri } = given[place - 1] ?? {}
    if (known || author === undefined || uri === undefined) continue
    await revokeQuote(transaction, author, uri)
    await revokeFeature(transaction, author, uri)
    await deleteCollectionByUri(transaction, author, uri)
  }
  if (statuses.length > 0) await removeStatuses(transaction, statuses)
}

/** Deletes an author's object by its URI. The deletion may arrive before the object. */
export const receiveDeletion = perServer(services =>
  createBatcher<Deletion, { place: number }>({
    turn: writeQueue(services),
    async runMany(given) {
      await services.events.notifyAfter(services.database.transaction(transaction => deleteBatch(transaction, given)))
      return []
    },
  }),
)
