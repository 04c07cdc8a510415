import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { SCOPES } from '../../src/core/scopes.ts'
import { Client } from './client.ts'
import type { ServerAddress } from './server.ts'

/** A person with an account on a test server and a token with all scopes. */
export class Person extends Client {
  readonly id: string
  readonly userId: string
  readonly username: string

  constructor(server: ServerAddress, token: string, facts: { id: string; userId: string; username: string }) {
    super(server, token)
    this.id = facts.id
    this.userId = facts.userId
    this.username = facts.username
  }

  /** Posts a status and returns its entity. */
  async postStatus(
    status: string,
    more: Record<string, unknown> = {},
  ): Promise<Record<string, unknown> & { id: string }> {
    const response = await this.post('/api/v1/statuses', { status, ...more })
    if (response.status !== 200) throw new Error(`${this.username} could not post: ${response.status} ${response.text}`)
    return response.json as Record<string, unknown> & { id: string }
  }

  /** Follows another person. */
  async follow(other: Person, more: Record<string, unknown> = {}): Promise<void> {
    const response = await this.post(`/api/v1/accounts/${other.id}/follow`, more)
    if (response.status !== 200) throw new Error(`follow: ${response.status} ${response.text}`)
  }
}

export interface PersonOptions {
  /** Columns of the account, such as `{ locked: true }`. */
  account?: Record<string, unknown>
  /** Columns of the user. */
  user?: Record<string, unknown>
  scopes?: readonly string[]
  /** Ids of roles: 1 Moderator, 2 Admin, 3 Owner. */
  roleId?: number
}

async function withDatabase<T>(server: ServerAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs SQL on the server's database, for states that the API cannot create. */
export const sql = (server: ServerAddress, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  withDatabase(server, async client => (await client.query<Record<string, unknown>>(text, values)).rows)

/**
 * Waits until the server has read the event log up to the changes that were committed elsewhere,
 * such as by `sql`.
 * @param witness posts a status and waits for it on the user stream, after earlier events
 */
export async function waitForEventLog(witness: Person): Promise<void> {
  const stream = await witness.stream('user')
  const { id } = await witness.postStatus('witness')
  for (let last = ''; last !== id;) last = ((await stream.next('update')).payload as { id: string }).id
}

/**
 * Creates a token with all scopes, or the given ones. With `userId` null it is an application's own
 * token.
 */
export async function makeToken(
  server: ServerAddress,
  userId: string | null,
  scopes: readonly string[] = SCOPES,
): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  await sql(
    server,
    `with app as (
       insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
       values ('Test', '{urn:ietf:wg:oauth:2.0:oob}', $3, $4, '\\x00') returning id
     )
     insert into oauth_tokens (token_hash, application_id, user_id, scopes) select $1, app.id, $2::bigint, $3 from app`,
    [createHash('sha256').update(secret).digest(), userId, scopes, randomBytes(12).toString('hex')],
  )
  return secret
}

/**
 * Creates an account with a confirmed, approved user directly in the database, and a token. Names
 * get a random suffix.
 */
export async function person(server: ServerAddress, name: string, options: PersonOptions = {}): Promise<Person> {
  const username = `${name}_${randomBytes(4).toString('hex')}`
  const domain = options.account?.['domain']
  const uri = typeof domain === 'string' ? { uri: `https://${domain}/users/${username}` } : {}
  const account: Record<string, unknown> = { username, display_name: name, ...uri, ...options.account }
  const user: Record<string, unknown> = {
    email: `${username}@example.com`,
    password_hash: '-',
    confirmed_at: new Date(),
    role_id: options.roleId ?? null,
    ...options.user,
  }
  const columns = (row: Record<string, unknown>): string => Object.keys(row).join(', ')
  const marks = (row: Record<string, unknown>, from: number): string =>
    Object.keys(row)
      .map((_, index) => `$${index + from}`)
      .join(', ')
  const [made] = await sql(
    server,
    `with a as (insert into accounts (${columns(account)}) values (${marks(account, 1)}) returning id),
     s as (insert into account_stats (account_id) select a.id from a)
     insert into users (account_id, ${columns(user)})
     select a.id, ${marks(user, Object.keys(account).length + 1)} from a returning id::text as user_id, account_id::text as id`,
    [...Object.values(account), ...Object.values(user)],
  )
  const facts = { id: String(made?.['id']), userId: String(made?.['user_id']), username: String(account['username']) }
  return new Person(server, await makeToken(server, facts.userId, options.scopes), facts)
}
