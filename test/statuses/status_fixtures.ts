import assert from 'node:assert/strict'
import { on } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ClientResponse } from '../support/client.ts'
import { sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

export type Entity = Record<string, unknown> & { id: string }

/** An entity in a response; fails for anything else. */
export function entity(value: unknown): Entity {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `no entity: ${JSON.stringify(value)}`)
  return value as Entity
}

/** The entities of a list; fails for anything else. */
export function entities(value: unknown): Entity[] {
  assert.ok(Array.isArray(value), `no list: ${JSON.stringify(value)}`)
  return value as Entity[]
}

export const errorOf = (response: ClientResponse): unknown => entity(response.json)['error']

/** Runs a statement whose rows do not matter. */
export const tell = async (server: TestServer, text: string, values: unknown[] = []): Promise<void> => {
  await sql(server, text, values)
}

/** Creates a relationship of two accounts without the API, such as a follow or a block. */
export const relate = (
  server: TestServer,
  table: 'follows' | 'blocks' | 'mutes',
  who: Person,
  whom: Person,
): Promise<void> =>
  tell(server, `insert into ${table} (account_id, target_account_id) values ($1, $2)`, [who.id, whom.id])

export interface TestMedia {
  type: string
  processing?: string
  description?: string
}

/** Stores unattached files of an account and returns their ids. */
export async function media(server: TestServer, owner: Person, given: TestMedia[]): Promise<string[]> {
  const ids: string[] = []
  for (const { type, processing = 'done', description = null } of given) {
    const [row] = await sql(
      server,
      'insert into media_attachments (account_id, type, processing, description) values ($1, $2, $3, $4) returning id::text',
      [owner.id, type, processing, description],
    )
    ids.push(String(row?.['id']))
  }
  return ids
}

const PATIENCE_MS = 30_000

/** The server may receive an event a moment after the test. */
const AGAIN_MS = 250

/**
 * Waits until a condition holds; checks at first, after each event of the log, and at intervals for
 * changes that the server receives later than the test.
 */
export async function waitFor(server: TestServer, isDone: () => Promise<boolean>, what: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const rung = on(client, 'notification', { signal })
  try {
    await client.query('listen events')
    let next = rung.next()
    while (!(await isDone())) {
      const isRung = await Promise.race([next.then(() => true), delay(AGAIN_MS, false, { signal })])
      if (isRung) next = rung.next()
    }
  } catch (error) {
    throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`, { cause: error })
  } finally {
    await rung.return?.()
    await client.end()
  }
}

/** In the order of the texts, where the order does not matter to the test. */
export const sorted = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))

/** A plain post as a parameter of the statement `statuses/post_all`. */
export const postOf = (author: Person, text: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  author: author.id,
  text,
  content: `<p>${text}</p>`,
  spoiler_text: '',
  visibility: 'public',
  sensitive: false,
  language: 'en',
  application: null,
  quote_policy: 'public',
  mentioned: [],
  tags: [],
  tag_names: [],
  media: [],
  idempotency_key: null,
  has_link: false,
  collections: [],
  ...more,
})
