import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client } from '../../support/client.ts'
import { makeToken, person, sql, type Person, type PersonOptions } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const V1 = '/api/v1/admin/accounts'
const V2 = '/api/v2/admin/accounts'

/** A server with accounts in every state; `names` gives who a list contains, newest first. */
async function setUp(t: Test) {
  const server = await startServer(t)
  const known = new Map<string, string>()
  const add = async (name: string, options: PersonOptions = {}): Promise<Person> => {
    const made = await person(server, name, options)
    known.set(made.id, name)
    return made
  }
  const remote = (domain: string, account: Record<string, unknown> = {}) => ({ account: { domain, ...account } })
  const owner = await add('owner', { roleId: 3 })
  await add('mod', { roleId: 1 })
  await add('plain')
  await add('waiting', { user: { approved: false } })
  await add('frozen', { user: { disabled: true } })
  await add('limited', { account: { silenced_at: new Date() } })
  await add('hidden', { account: { suspended_at: new Date() } })
  await add('marked', { account: { sensitized_at: new Date() } })
  await add('far', remote('far.example'))
  await add('away', remote('away.example', { suspended_at: new Date() }))
  // Remote accounts have no user.
  await sql(server, 'delete from users u using accounts a where a.id = u.account_id and a.domain is not null')
  const names = async (path: string, query: Record<string, string> = {}): Promise<string[]> => {
    const response = await owner.get(path, query)
    assert.equal(response.status, 200, response.text)
    return (response.json as { id: string }[]).map(({ id }) => known.get(id) ?? id)
  }
  return { server, owner, names, add }
}

test('version 1 filters by state; the last one applies', async t => {
  const { names } = await setUp(t)
  const active = ['marked', 'limited', 'frozen', 'waiting', 'plain', 'mod', 'owner']
  for (const [query, expected] of [
    [{}, active],
    [{ local: 'true', active: 'true' }, active],
    [{ sensitized: 'true' }, active],
    [{ remote: '' }, active],
    [{ remote: 'false' }, ['far']],
    [{ pending: 'false' }, ['waiting']],
    [{ disabled: 'true' }, ['frozen']],
    [{ silenced: 'true' }, ['limited']],
    [{ suspended: 'true' }, ['hidden']],
    [{ suspended: 'true', remote: 'true' }, ['away']],
    [{ suspended: 'true', active: 'true', pending: 'true' }, ['hidden']],
    [{ silenced: 'true', disabled: 'true' }, ['limited']],
    [{ staff: 'true' }, ['mod', 'owner']],
    [{ active: 'true', local: 'true', staff: 'true' }, ['mod', 'owner']],
    [{ limit: '2' }, ['marked', 'limited']],
    [{ remote: 'true', by_domain: 'FAR.example' }, ['far']],
    [{ by_domain: 'far.example' }, []],
    [{ username: '@PLA' }, ['plain']],
    [{ username: 'l%' }, []],
    [{ display_name: 'froz' }, ['frozen']],
    [{ email: 'MOD_' }, ['mod']],
    [{ username: 'a' }, []],
    [{ ip: 'nonsense' }, []],
    [{ ip: '10.0.0.0/8' }, []],
  ] as const) {
    assert.deepEqual(await names(V1, query), expected, JSON.stringify(query))
  }
})

test('each account of a list can be shown', async t => {
  const { owner } = await setUp(t)
  const all = (await owner.get(V2)).json as { id: string }[]
  assert.equal(all.length, 10)
  for (const one of all.map(account => ({ ...account, ip: null, ips: [] }))) {
    const response = await owner.get(`${V1}/${one.id}`)
    // The use of the token is stored meanwhile.
    assert.deepEqual([response.status, { ...(response.json as object), ip: null, ips: [] }], [200, one])
  }
  const first = await owner.get(V2, { limit: '1' })
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  assert.equal(new URL(next).search, `?limit=1&max_id=${all[0]?.id}`)
})

test('version 2 has no defaults and refuses unknown values', async t => {
  const { names, owner, add } = await setUp(t)
  assert.equal((await names(V2)).length, 10)
  const [first] = await sql(owner.server, `select id from roles where name = 'Moderator'`)
  for (const [query, expected] of [
    [{ origin: 'remote' }, ['away', 'far']],
    [{ status: 'suspended' }, ['away', 'hidden']],
    [{ status: 'suspended', origin: 'local' }, ['hidden']],
    [{ status: 'sensitized' }, ['marked']],
    [{ status: 'silenced' }, ['limited']],
    [{ status: 'disabled' }, ['frozen']],
    [{ status: 'pending' }, ['waiting']],
    [{ status: 'active', origin: 'local', permissions: 'staff' }, ['mod', 'owner']],
    [{ origin: 'remote', by_domain: 'away.example' }, ['away']],
    [{ by_domain: 'away.example' }, ['away']],
    [{ 'role_ids[]': String(first?.['id']) }, ['mod']],
    [{ 'role_ids[]': '-99' }, ['marked', 'hidden', 'limited', 'frozen', 'waiting', 'plain']],
    [{ 'role_ids[]': 'x' }, []],
  ] as const) {
    assert.deepEqual(await names(V2, query), expected, JSON.stringify(query))
  }
  for (const [query, error] of [
    [{ origin: 'moon' }, 'Unknown origin: moon'],
    [{ status: 'asleep' }, 'Unknown status: asleep'],
  ] as const) {
    const response = await owner.get(V2, query)
    assert.deepEqual([response.status, response.json], [400, { error }])
  }
  assert.equal((await owner.get(V2, { permissions: 'x' })).status, 422)
  const [invite] = await sql(owner.server, `insert into invites (user_id, code) values ($1, 'abc') returning id`, [
    owner.userId,
  ])
  const guest = await add('guest', { user: { invite_id: invite?.['id'] } })
  assert.deepEqual(await names(V2, { invited_by: owner.id }), ['guest'])
  assert.equal((await owner.get(V2, { invited_by: 'nobody' })).status, 404)
  const entity = (await owner.get(`${V1}/${guest.id}`)).json as { invited_by_account_id: string }
  assert.equal(entity.invited_by_account_id, owner.id)
})

test('addresses of sign-ups, sessions, sign-ins and tokens are found, alone and by network', async t => {
  const { names, owner, add } = await setUp(t)
  const { server } = owner
  const guest = await add('guest', { user: { sign_up_ip: '10.1.0.1', created_at: '2020-01-01' } })
  await sql(
    server,
    `with s as (
       insert into sessions (session_hash, user_id, ip, updated_at) values ('\\x01', $1, '2001:db8::7', '2020-03-01')
     ), l as (
       insert into login_activities (user_id, method, success, ip, created_at)
       values ($1, 'password', true, '10.2.0.1', '2020-02-01'), ($1, 'password', false, '10.9.9.9', '2020-02-02'),
         ($1, 'password', true, '10.1.0.1', '2020-04-01')
     )
     update oauth_tokens set last_used_ip = '192.0.2.5', last_used_at = '2020-05-01' where user_id = $1`,
    [guest.userId],
  )
  for (const ip of ['10.1.0.1', '10.2.0.0/16', '10.0.0.0/8', '2001:db8::/32', '192.0.2.5'])
    assert.deepEqual(await names(V1, { ip }), ['guest'], ip)
  for (const ip of ['10.9.9.9', '11.0.0.0/8', '10.1.0.1/99']) assert.deepEqual(await names(V1, { ip }), [], ip)
  const { ip, ips } = (await owner.get(`${V1}/${guest.id}`)).json as { ip: string; ips: unknown }
  assert.equal(ip, '192.0.2.5')
  assert.deepEqual(ips, [
    { ip: '192.0.2.5', used_at: '2020-05-01T00:00:00.000Z' },
    { ip: '10.1.0.1', used_at: '2020-04-01T00:00:00.000Z' },
    { ip: '2001:db8::7', used_at: '2020-03-01T00:00:00.000Z' },
    { ip: '10.2.0.1', used_at: '2020-02-01T00:00:00.000Z' },
  ])
})

test('pages link in both directions and repeat the filters', async t => {
  const { names, owner } = await setUp(t)
  for (const [path, query] of [
    [V1, { local: 'true', limit: '3' }],
    [V2, { origin: 'local', status: 'active', limit: '3', username: '' }],
    [V2, { 'role_ids[]': '-99', status: 'active', limit: '3' }],
  ] as const) {
    const { limit: _, ...rest } = query
    const all = await names(path, rest)
    const walked: string[] = []
    let next: string | undefined = `${path}?${new URLSearchParams(query).toString()}`
    let last = ''
    while (next !== undefined) {
      last = next
      const { searchParams } = new URL(next, owner.server.url)
      for (const [name, value] of Object.entries(query)) assert.equal(searchParams.get(name), value, next)
      const asked = Object.fromEntries(searchParams)
      walked.push(...(await names(path, asked)))
      const link = (await owner.get(path, asked)).headers.get('link') ?? ''
      next = /<([^>]+)>; rel="next"/.exec(link)?.[1]
    }
    assert.deepEqual(walked, all)
    // Upwards from the last page.
    const ids = (await owner.get(path, rest)).json as { id: string }[]
    const from = ids.at(-1)?.id ?? ''
    assert.deepEqual(await names(path, { ...query, min_id: from }), all.slice(-4, -1), last)
    assert.deepEqual(await names(path, { ...query, since_id: from }), all.slice(0, 3))
  }
  assert.equal((await names(V2, { limit: '-2' })).length, 2)
})

test('the scope is checked first, then the record, then the permission', async t => {
  const server = await startServer(t)
  const owner = await person(server, 'owner', { roleId: 3 })
  const plain = await person(server, 'plain')
  const reader = async (userId: string, scopes: string[]): Promise<Client> =>
    new Client(server, await makeToken(server, userId, scopes))
  const refused = { error: 'This action is not allowed' }
  const outside = { error: 'This action is outside the authorized scopes' }
  for (const [client, path, expected] of [
    [new Client(server), V1, [403, refused]],
    [new Client(server, await makeToken(server, null)), V1, [403, refused]],
    [new Client(server, 'wrong'), V1, [401, { error: 'The access token is invalid' }]],
    [plain, V1, [403, refused]],
    [plain, `${V1}/999999`, [404, { error: 'Record not found' }]],
    [plain, `${V1}/-1`, [404, { error: 'Record not found' }]],
    [plain, `${V1}/${owner.id}`, [403, refused]],
    [await reader(owner.userId, ['read', 'write']), V2, [403, outside]],
    [await reader(owner.userId, ['admin:write']), V2, [403, outside]],
    [await reader(plain.userId, ['read']), `${V1}/999999`, [403, outside]],
  ] as const) {
    const response = await client.get(path)
    assert.deepEqual([response.status, response.json], expected, path)
  }
  for (const scopes of [['admin:read'], ['admin:read:accounts']])
    assert.equal((await (await reader(owner.userId, scopes)).get(V1)).status, 200)
})

test('an account is rendered with all details for staff', async t => {
  const server: TestServer = await startServer(t)
  const owner = await person(server, 'owner', { roleId: 3 })
  const [app] = await sql(
    server,
    `insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
     values ('x', '{}', '{}', 'x', '\\x00') returning id::text`,
  )
  const user = { locale: 'de', sign_up_reason: 'tapirs', created_by_application_id: app?.['id'], approved: false }
  const waiting = await person(server, 'waiting', { user, account: { silenced_at: new Date() } })
  const entity = (await owner.get(`${V1}/${waiting.id}`)).json as Record<string, unknown> & {
    account: { id: string; limited: boolean }
  }
  const { account, created_at: createdAt, ...rest } = entity
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.equal(account.id, waiting.id)
  assert.equal(account.limited, true)
  assert.deepEqual(rest, {
    id: waiting.id,
    username: waiting.username,
    domain: null,
    email: `${waiting.username}@example.com`,
    ip: null,
    ips: [],
    locale: 'de',
    invite_request: 'tapirs',
    role: {
      id: '-99',
      name: '',
      permissions: '65536',
      color: '',
      highlighted: false,
      collection_limit: 10,
    },
    confirmed: true,
    approved: false,
    disabled: false,
    sensitized: false,
    silenced: true,
    suspended: false,
    created_by_application_id: app?.['id'],
  })
  const [far] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/users/far') returning id::text`,
  )
  const remote = (await owner.get(`${V1}/${String(far?.['id'])}`)).json as Record<string, unknown>
  for (const name of ['email', 'ip', 'ips', 'locale', 'invite_request', 'role', 'confirmed', 'approved', 'disabled'])
    assert.equal(remote[name], null, name)
  assert.ok(!('created_by_application_id' in remote) && !('invited_by_account_id' in remote))
  const own = (await owner.get(`${V1}/${owner.id}`)).json as { role: { permissions: string } }
  assert.equal(own.role.permissions, '8388607')
})
