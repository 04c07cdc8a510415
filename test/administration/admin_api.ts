import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { Client, type ClientResponse } from '../support/client.ts'
import { makeToken, person, sql, type Person } from '../support/people.ts'
import { sharedServer, type ServerAddress, type TestServer } from '../support/server.ts'

/** Callers of the admin API on the file's server. */
export interface Staff {
  readonly server: TestServer
  /** Somebody whose role has all permissions of an administrator's role. */
  readonly admin: Person
  /** Somebody whose role may moderate, but not manage the server. */
  readonly moderator: Person
  readonly anonymous: Client
}

export async function staff(t: Test): Promise<Staff> {
  const server = await sharedServer()
  const [admin, moderator] = [
    await person(server, 'admin', { roleId: 2 }),
    await person(server, 'moderator', { roleId: 1 }),
  ]
  t.after(() => Promise.all([admin.close(), moderator.close()]))
  return { server, admin, moderator, anonymous: new Client(server) }
}

/** A person with the permissions of this mask, and no others. */
export async function withPermissions(server: ServerAddress, name: string, permissions: number): Promise<Person> {
  const [role] = await sql(
    server,
    `insert into roles (name, position, permissions) values ($1 || random()::text, 10, $2) returning id`,
    [name, permissions],
  )
  return person(server, name, { roleId: Number(role?.['id']) })
}

export function refuses(response: ClientResponse, status: number, error: string): void {
  assert.deepEqual([response.status, (response.json as { error?: unknown } | undefined)?.error], [status, error])
}

type Entity = Record<string, unknown> & { id: string }

/** The entity of a successful response. */
export function entityOf(response: ClientResponse): Entity {
  assert.equal(response.status, 200, response.text)
  return response.json as Entity
}

/** The entities of a successful response. */
export function entitiesOf(response: ClientResponse): Entity[] {
  assert.equal(response.status, 200, response.text)
  return response.json as Entity[]
}

/** The entries of the audit log about this type of record, oldest first: who, what, which. */
export async function auditLog(server: ServerAddress, type: string): Promise<string[]> {
  const rows = await sql(
    server,
    `select concat_ws(' ', l.account_id, l.action, l.target_name) as entry
     from admin_action_logs l where l.target_type = $1 order by l.id`,
    [type],
  )
  return rows.map(row => String(row['entry']))
}

/** An operation of the admin API, and how it is called. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: Record<string, unknown>
}

/**
 * Checks who may call these operations: nobody without a token, with a token without the scope or
 * with one for members' data only, by an application's own token, or without the permission. An
 * unknown id is a 404 before that.
 * @param family the end of the scopes, such as `:ip_blocks`; empty for `admin:read` itself
 */
export async function checkCallers(
  { server, admin, moderator, anonymous }: Staff,
  family: string,
  calls: readonly Call[],
  outsider: Person = moderator,
): Promise<void> {
  const withScopes = async (...scopes: string[]): Promise<Client> =>
    new Client(server, await makeToken(server, admin.userId, scopes))
  const [member, reader, writer] = [
    await withScopes('read', 'write'),
    await withScopes(`admin:read${family}`),
    await withScopes(`admin:write${family}`),
  ]
  const application = new Client(server, await makeToken(server, null))
  for (const { method, path, body } of calls) {
    const call = (client: Client, at = path): Promise<ClientResponse> =>
      client.request(method, at, { body: body ?? {} })
    const isRead = method === 'GET' || path.endsWith('/test')
    const where = `${method} ${path}`
    const expect = async (client: Client, status: number, error: string, at?: string): Promise<void> => {
      const response = method === 'GET' ? await client.get(at ?? path) : await call(client, at)
      const { error: found } = response.json as { error?: unknown }
      assert.deepEqual([where, response.status, found], [where, status, error])
    }
    await expect(anonymous, 403, 'This action is not allowed')
    await expect(new Client(server, 'unknown'), 401, 'The access token is invalid')
    await expect(member, 403, 'This action is outside the authorized scopes')
    await expect(isRead ? writer : reader, 403, 'This action is outside the authorized scopes')
    await expect(application, 403, 'This action is not allowed')
    await expect(outsider, 403, 'This action is not allowed')
    if (/\/\d+(\/|$)/.test(path)) {
      for (const id of ['0', '999999999999', '99999999999999999999', 'x'])
        await expect(outsider, 404, 'Record not found', path.replace(/\/\d+(?=\/|$)/, `/${id}`))
    }
  }
}

/**
 * Checks the pages of a list that is paged by the ids of its items, of which there are at least
 * three: cursors, limits and links.
 */
export async function checkPages(client: Client, path: string, most = 200): Promise<void> {
  const page = async (query: Record<string, string>): Promise<{ ids: string[]; link: string }> => {
    const response = await client.get(path, query)
    assert.equal(response.status, 200, response.text)
    // Some entities have numbers as ids.
    const ids = (response.json as { id: string | number }[]).map(({ id }) => String(id))
    return { ids, link: response.headers.get('link') ?? '' }
  }
  const { ids: all } = await page({})
  const [first = '', second = '', third = ''] = all
  assert.ok(third !== '', `${path} has at least three items`)
  assert.deepEqual(
    [...all].sort((a, b) => Number(BigInt(b) - BigInt(a))),
    all,
  )
  const top = await page({ limit: '2' })
  assert.deepEqual(top.ids, [first, second])
  const at = new URL(path, client.server.url).href
  assert.equal(top.link, `<${at}?limit=2&max_id=${second}>; rel="next", <${at}?limit=2&min_id=${first}>; rel="prev"`)
  assert.deepEqual((await page({ limit: '-1' })).ids, [first])
  assert.deepEqual((await page({ limit: '1', max_id: first })).ids, [second])
  assert.deepEqual((await page({ limit: '1', min_id: third })).ids, [second])
  assert.deepEqual((await page({ limit: '1', since_id: third })).ids, [first])
  assert.deepEqual((await page({ since_id: first })).ids, [])
  assert.doesNotMatch((await page({})).link, /rel="next"/)
  assert.deepEqual((await page({ limit: String(most * 10), max_id: '99999999999999999999' })).ids, all)
  assert.deepEqual((await page({ max_id: 'x' })).ids, [])
}
