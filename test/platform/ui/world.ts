import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { person, type Person } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'

/** Runs a statement on the database of the server. */
export type Database = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Creates the contents of lists: a number of each kind, oldest first, with ids as strings. */
export interface World {
  readonly server: TestServer
  readonly database: Database
  /** The prefix of all usernames. */
  readonly stem: string
  person(): Promise<Person>
  /** Accounts without users, always the same ones. */
  accounts(amount: number): Promise<string[]>
  /** New statuses by an account. Unlisted ones are in no timeline that other tests read. */
  statuses(author: string, amount: number, visibility?: string): Promise<string[]>
}

const idsOf = (rows: readonly Record<string, unknown>[]): string[] => rows.map(row => String(row['id']))

export async function makeWorld(t: Test): Promise<World> {
  const server = await sharedServer()
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  const database: Database = async (text, values = []) =>
    (await client.query<Record<string, unknown>>(text, values)).rows
  const stem = `page${randomBytes(4).toString('hex')}`
  const known: string[] = []
  return {
    server,
    database,
    stem,
    person: () => person(server, 'reader'),
    async accounts(amount) {
      const missing = amount - known.length
      if (missing > 0) {
        const made = await database(
          `insert into accounts (username, discoverable)
           select $1 || '_' || n, true from generate_series($2::integer, $3::integer) n returning id::text`,
          [stem, known.length + 1, amount],
        )
        known.push(...idsOf(made))
      }
      return known.slice(0, amount)
    },
    async statuses(author, amount, visibility = 'unlisted') {
      const made = await database(
        `insert into statuses (account_id, text, content, visibility)
         select $1, 'x', '<p>x</p>', $3::visibility from generate_series(1, $2::integer) returning id::text`,
        [author, amount, visibility],
      )
      return idsOf(made)
    },
  }
}
