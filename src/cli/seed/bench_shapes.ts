import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

/**
 * Exact shapes for benchmarks: authors with a given number of followers, readers with a given
 * number of follows, threads with a given number of replies.
 */
export interface Shapes {
  /** The number of followers of each author. */
  readonly authors: readonly number[]
  /** The number of follows of each reader. */
  readonly readers: readonly number[]
  /** The number of replies of each thread. */
  readonly threads: readonly number[]
}

export interface SeededAccount {
  readonly user_id: Id
  readonly id: Id
}

export interface CreatedShapes {
  readonly authors: readonly (SeededAccount & { followers: number })[]
  readonly readers: readonly (SeededAccount & { following: number })[]
  readonly threads: readonly { id: Id; replies: number }[]
}

const accountsQuery = query(
  'cli/seed/add_accounts',
  { amount: c.integer, password_hash: c.text },
  { user_id: c.id, id: c.id },
)
const addFollows = query('cli/seed/add_follows', { followers: c.ids, followed: c.ids }, {})
const findBusiest = query('cli/seed/most_active_accounts', { limit: c.integer }, { id: c.id })
const addThread = query('cli/seed/add_thread', { authors: c.ids, replies: c.integer }, { id: c.id })

/** Keeps transactions short: a long one delays the event log of running servers. */
const BATCH_ROWS = 5000
const THREAD_AUTHORS = 50

async function createAccounts(database: Database, amount: number, passwordHash: string): Promise<SeededAccount[]> {
  const accounts: SeededAccount[] = []
  while (accounts.length < amount) {
    const batchSize = Math.min(BATCH_ROWS, amount - accounts.length)
    accounts.push(...(await database.run(accountsQuery, { amount: batchSize, password_hash: passwordHash })))
  }
  return accounts
}

async function follow(database: Database, followers: readonly Id[], followed: readonly Id[]): Promise<void> {
  for (let from = 0; from < followers.length; from += BATCH_ROWS) {
    const end = from + BATCH_ROWS
    await database.run(addFollows, { followers: followers.slice(from, end), followed: followed.slice(from, end) })
  }
}

/**
 * Adds authors, readers and threads to the existing data.
 * @param shapes a reader follows at most as many accounts as were generated
 * @param options.first follows every author before others do; accounts are generated if these are
 * not enough
 */
export async function addBenchShapes(
  database: Database,
  shapes: Shapes,
  options: { first: readonly Id[]; passwordHash: string; step: (what: string) => void },
): Promise<CreatedShapes> {
  const { first, passwordHash, step } = options
  step('authors and their followers')
  const maximum = Math.max(0, ...shapes.authors)
  const extraFollowers = await createAccounts(database, Math.max(0, maximum - first.length), passwordHash)
  const followers = [...first, ...extraFollowers.map(({ id }) => id)]
  const accounts = await createAccounts(database, shapes.authors.length + shapes.readers.length, passwordHash)
  const authors = shapes.authors.map((count, index) => ({ ...accountAt(accounts, index), followers: count }))
  for (const author of authors) {
    const followed = followers.slice(0, author.followers)
    await follow(
      database,
      followed,
      followed.map(() => author.id),
    )
  }
  step('readers and threads')
  const busiest = await database.run(findBusiest, { limit: Math.max(THREAD_AUTHORS, ...shapes.readers) })
  const readers: CreatedShapes['readers'][number][] = []
  for (const [index, count] of shapes.readers.entries()) {
    const followed = busiest.slice(0, count).map(({ id }) => id)
    const reader = { ...accountAt(accounts, shapes.authors.length + index), following: followed.length }
    await follow(
      database,
      followed.map(() => reader.id),
      followed,
    )
    readers.push(reader)
  }
  const threads: CreatedShapes['threads'][number][] = []
  const threadAuthors = busiest.slice(0, THREAD_AUTHORS).map(({ id }) => id)
  for (const replies of threadAuthors.length > 0 ? shapes.threads : []) {
    const [root] = await database.run(addThread, { authors: threadAuthors, replies })
    if (root) threads.push({ id: root.id, replies })
  }
  return { authors, readers, threads }
}

function accountAt(accounts: readonly SeededAccount[], index: number): SeededAccount {
  const person = accounts[index]
  if (!person) throw new Error('an account was not created')
  return person
}
