import assert from 'node:assert/strict'
import { test } from 'tap'
import { parseNetwork } from '../../../src/moderation/ip_blocks/index.ts'
import { becomes, openPair } from '../../platform/settings/pair.ts'
import { Client } from '../../support/client.ts'
import { connect, waitsForLock } from '../../support/other_transaction.ts'
import { makeToken, sql } from '../../support/people.ts'
import { auditLog, checkCallers, checkPages, entitiesOf, entityOf, refuses, staff } from '../admin_api.ts'
import { staffMember } from '../staff_fixtures.ts'
import { OPEN_REGISTRATIONS, shareServerWith } from '../../support/server.ts'

shareServerWith(OPEN_REGISTRATIONS)

const PATH = '/api/v1/admin/ip_blocks'

test('without any rules the list is empty', async t => {
  const { admin } = await staff(t)
  assert.deepEqual(entitiesOf(await admin.get(PATH)), [])
})

test('a rule about a network is created, shown, changed and removed, and each is in the log', async t => {
  const { server, admin } = await staff(t)
  const before = Date.now()
  const made = entityOf(
    await admin.post(PATH, { ip: '198.51.100.7', severity: 'sign_up_block', comment: 'spam', expires_in: 3600 }),
  )
  const { id, created_at: created, expires_at: expires, ...rest } = made
  assert.deepEqual(rest, { ip: '198.51.100.7/32', severity: 'sign_up_block', comment: 'spam' })
  const validMs = Date.parse(String(expires)) - before
  assert.ok(validMs >= 3_600_000 && validMs < 3_660_000, String(expires))
  assert.match(String(created), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(entityOf(await admin.get(`${PATH}/${id}`)), made)
  const changed = entityOf(await admin.put(`${PATH}/${id}`, { severity: 'sign_up_requires_approval', comment: 'new' }))
  assert.deepEqual(changed, { ...made, severity: 'sign_up_requires_approval', comment: 'new' })
  // A blank time means that the rule stays until it is removed.
  const kept = entityOf(await admin.patch(`${PATH}/${id}`, { expires_in: '', ip: '2001:DB8::1' }))
  assert.deepEqual(kept, { ...changed, ip: '2001:db8::1/128', expires_at: null })
  const gone = await admin.delete(`${PATH}/${id}`)
  assert.deepEqual([gone.status, gone.text], [200, '{}'])
  refuses(await admin.get(`${PATH}/${id}`), 404, 'Record not found')
  assert.deepEqual(await auditLog(server, 'IpBlock'), [
    `${admin.id} create 198.51.100.7/32`,
    `${admin.id} update 198.51.100.7/32`,
    `${admin.id} update 2001:db8::1/128`,
    `${admin.id} destroy 2001:db8::1/128`,
  ])
})

test('invalid rules about networks are refused', async t => {
  const { admin } = await staff(t)
  const { id } = entityOf(await admin.post(PATH, { ip: '198.51.100.8/31', severity: 'no_access' }))
  const { id: other } = entityOf(await admin.post(PATH, { ip: '198.51.100.20', severity: 'sign_up_block' }))
  const blank = "Validation failed: Ip can't be blank"
  const unlisted = 'Validation failed: Severity is not included in the list'
  const taken = 'Validation failed: Ip has already been taken'
  const ip = '203.0.113.200'
  for (const [body, error] of [
    [{ severity: 'no_access' }, blank],
    [{ severity: 'no_access', ip: '' }, blank],
    [{ severity: 'no_access', ip: '520.13.54.120' }, blank],
    [{ severity: 'no_access', ip: '10.1/8' }, blank],
    [{ severity: 'no_access', ip: '10.0.0.0/33' }, blank],
    [{ severity: 'no_access', ip: '::/129' }, blank],
    [{ severity: 'no_access', ip: 'fe80::1%eth0' }, blank],
    [{ severity: 'no_access', ip: 'example.com' }, blank],
    [{ ip }, `${unlisted}, Severity can't be blank`],
    [{ ip, severity: '' }, `${unlisted}, Severity can't be blank`],
    [{ ip, severity: 'harsh' }, unlisted],
    [{ severity: 'harsh' }, `${unlisted}, Ip can't be blank`],
    [{ ip: '198.51.100.9/31', severity: 'no_access' }, taken],
    [{ ip, severity: 'no_access', expires_in: 0 }, 'Validation failed: Expires in must be greater than or equal to 1'],
    [
      { ip, severity: 'no_access', comment: 'x'.repeat(2001) },
      'Validation failed: Comment is too long (maximum is 2000 characters)',
    ],
  ] as const) {
    refuses(await admin.post(PATH, body), 422, error)
  }
  refuses(await admin.put(`${PATH}/${id}`, { ip: '' }), 422, blank)
  refuses(await admin.put(`${PATH}/${id}`, { severity: 'harsh' }), 422, unlisted)
  refuses(await admin.put(`${PATH}/${other}`, { ip: '198.51.100.8/31' }), 422, taken)
  for (const one of [id, other]) await admin.delete(`${PATH}/${one}`)
})

test('of two rules about a network at once the second is refused', async t => {
  const { server, admin } = await staff(t)
  const taken = 'Validation failed: Ip has already been taken'
  const moved = entityOf(await admin.post(PATH, { ip: '198.51.100.60', severity: 'sign_up_block' }))
  const other = await connect(t, server)
  for (const [ip, statement, send] of [
    ['198.51.100.61', 'add', (ip: string) => admin.post(PATH, { ip, severity: 'no_access' })],
    ['198.51.100.62', 'update', (ip: string) => admin.put(`${PATH}/${moved.id}`, { ip })],
  ] as const) {
    await other.query('begin')
    await other.query(`insert into ip_blocks (ip, severity) values ($1, 'sign_up_block')`, [ip])
    const second = send(ip)
    await waitsForLock(server, statement)
    await other.query('commit')
    refuses(await second, 422, taken)
  }
  assert.deepEqual(entityOf(await admin.get(`${PATH}/${moved.id}`)), moved)
})

test('a rule that gets another network at the same moment is removed', async t => {
  const { server, admin } = await staff(t)
  const { browser } = await staffMember(t, server, 'admin')
  const other = await connect(t, server)
  for (const [last, send] of [
    [70, (id: string) => admin.delete(`${PATH}/${id}`)],
    [
      80,
      async (id: string) =>
        browser.submit(await browser.get('/admin/ip_blocks'), '/admin/ip_blocks/batch', {
          'ids[]': id,
          change: 'delete',
        }),
    ],
  ] as const) {
    const { id } = entityOf(await admin.post(PATH, { ip: `198.51.100.${last}`, severity: 'sign_up_block' }))
    await other.query('begin')
    await other.query('update ip_blocks set ip = $2 where id = $1', [id, `198.51.100.${last + 1}`])
    const removal = send(id)
    await waitsForLock(server, 'remove')
    await other.query('commit')
    assert.ok((await removal).status < 400)
    assert.equal((await admin.get(`${PATH}/${id}`)).status, 404)
  }
})

test('a rule that is removed at the same moment cannot be changed', async t => {
  const { server, admin } = await staff(t)
  const { browser } = await staffMember(t, server, 'admin')
  const other = await connect(t, server)
  for (const send of [
    (id: string) => admin.put(`${PATH}/${id}`, { comment: 'late' }),
    async (id: string) =>
      browser.submit(await browser.get(`/admin/ip_blocks/${id}/edit`), `/admin/ip_blocks/${id}`, {}, 'put'),
  ]) {
    const { id } = entityOf(await admin.post(PATH, { ip: '198.51.100.63', severity: 'sign_up_block' }))
    await other.query('begin')
    await other.query('delete from ip_blocks where id = $1', [id])
    const late = send(id)
    await waitsForLock(server, 'update')
    await other.query('commit')
    assert.equal((await late).status, 404)
  }
})

test('of two partial changes of a rule at once none is lost', async t => {
  const { server, admin } = await staff(t)
  const made = await admin.post(PATH, { ip: '198.51.100.64', severity: 'sign_up_block', expires_in: 3600 })
  const { id, expires_at: expires } = entityOf(made)
  const other = await connect(t, server)
  await other.query('begin')
  const change = "update ip_blocks set severity = 'no_access', ip = '198.51.100.65/32' where id = $1"
  await other.query(change, [id])
  const late = admin.put(`${PATH}/${id}`, { comment: 'late' })
  await waitsForLock(server, 'update')
  await other.query('commit')
  const changed = entityOf(await late)
  const { ip, severity, comment, expires_at } = changed
  assert.deepEqual(
    { ip, severity, comment, expires_at },
    { ip: '198.51.100.65/32', severity: 'no_access', comment: 'late', expires_at: expires },
  )
  assert.deepEqual(entityOf(await admin.get(`${PATH}/${id}`)), changed)
  await other.query('begin')
  await other.query("update ip_blocks set expires_at = null, comment = 'for good' where id = $1", [id])
  const milder = admin.put(`${PATH}/${id}`, { severity: 'sign_up_block' })
  await waitsForLock(server, 'update')
  await other.query('commit')
  assert.deepEqual(entityOf(await milder), {
    ...changed,
    severity: 'sign_up_block',
    comment: 'for good',
    expires_at: null,
  })
  await admin.delete(`${PATH}/${id}`)
})

test('a new rule is returned also when somebody removes it at once', async t => {
  const { server, admin } = await staff(t)
  const ip = '198.51.100.66'
  const first = await connect(t, server)
  await first.query('begin')
  await first.query("insert into ip_blocks (ip, severity) values ($1, 'sign_up_block')", [ip])
  const adding = admin.post(PATH, { ip, severity: 'no_access' })
  await waitsForLock(server, 'add')
  // Gets the table when the rule is stored, before anything reads it.
  const remover = await connect(t, server)
  await remover.query('begin')
  const locked = remover.query('-- remover: locks\nlock table ip_blocks in access exclusive mode')
  await waitsForLock(server, 'remover')
  await first.query('rollback')
  await locked
  await remover.query('delete from ip_blocks where ip = $1', [ip])
  await remover.query('commit')
  const { ip: stored, severity } = entityOf(await adding)
  assert.deepEqual([stored, severity], [`${ip}/32`, 'no_access'])
})

test('a network whose rule has expired gets another rule', async t => {
  const { server, admin } = await staff(t)
  const rule = async (ip: string) => entityOf(await admin.post(PATH, { ip, severity: 'sign_up_block' }))
  const [old, older, moved] = [await rule('198.51.100.70'), await rule('198.51.100.71'), await rule('198.51.100.72')]
  await sql(
    server,
    `update ip_blocks set created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' where id = any ($1)`,
    [[old.id, older.id]],
  )
  const before = new Date().toISOString()
  const made = entityOf(await admin.post(PATH, { ip: '198.51.100.70', severity: 'no_access', comment: 'again' }))
  assert.deepEqual(
    [made['ip'], made['severity'], made['comment'], made['expires_at']],
    ['198.51.100.70/32', 'no_access', 'again', null],
  )
  assert.ok(String(made['created_at']) >= before, 'it was created now')
  const changed = entityOf(await admin.put(`${PATH}/${moved.id}`, { ip: '198.51.100.71' }))
  assert.deepEqual(changed, { ...moved, ip: '198.51.100.71/32' })
  refuses(await admin.get(`${PATH}/${older.id}`), 404, 'Record not found')
  refuses(
    await admin.put(`${PATH}/${made.id}`, { ip: '198.51.100.71' }),
    422,
    'Validation failed: Ip has already been taken',
  )
})

test('a network is stored in one form', async () => {
  for (const [text, network] of [
    ['192.0.2.1', '192.0.2.1/32'],
    [' 192.0.2.0/24 ', '192.0.2.0/24'],
    ['2001:0DB8::', '2001:db8::/128'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['192.0.2.1/', undefined],
    ['192.0.2.1/x', undefined],
    ['0x7f.1', undefined],
    ['010.0.0.1', undefined],
  ] as const) {
    assert.equal(parseNetwork(text), network, text)
  }
})

test('only roles that manage blocks, with the scope of the rules, may call these operations', async t => {
  const everyone = await staff(t)
  const { admin, server } = everyone
  const { id } = entityOf(await admin.post(PATH, { ip: '198.51.100.30', severity: 'sign_up_block' }))
  await checkCallers(everyone, ':ip_blocks', [
    { method: 'GET', path: PATH },
    { method: 'POST', path: PATH },
    { method: 'GET', path: `${PATH}/${id}` },
    { method: 'PUT', path: `${PATH}/${id}` },
    { method: 'DELETE', path: `${PATH}/${id}` },
  ])
  const scoped = new Client(server, await makeToken(server, admin.userId, ['admin:write:ip_blocks', 'admin:read']))
  assert.equal((await scoped.get(PATH)).status, 200)
  assert.equal((await scoped.delete(`${PATH}/${id}`)).status, 200)
})

test('the list has pages', async t => {
  const { admin } = await staff(t)
  for (const ip of ['198.51.100.41', '198.51.100.42', '198.51.100.43'])
    entityOf(await admin.post(PATH, { ip, severity: 'sign_up_block' }))
  await checkPages(admin, PATH)
})

test('without access every request is refused, in any process, until the rule is removed or expires', async t => {
  const { servers, person: create } = await openPair(t)
  const [first, second] = servers
  const admin = await create('admin', { roleId: 2 })
  const alice = await create('alice')
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const statusOf = async (client: Client, path: string, address: string): Promise<number> =>
    (await client.get(path, {}, from(address))).status
  const paths = ['/api/v1/instance', '/api/v1/timelines/home', '/auth/sign_in', '/auth/sign_up', '/health']
  const { id } = entityOf(await admin.post(PATH, { ip: '203.0.113.64/30', severity: 'no_access' }))
  // At once in the process that answered, and in the others after the event.
  const here = new Client(first, alice.token)
  for (const path of paths) {
    assert.equal(await statusOf(here, path, '203.0.113.65'), 403, path)
    assert.notEqual(await statusOf(here, path, '203.0.113.68'), 403, path)
  }
  const there = new Client(second, alice.token)
  await becomes(() => statusOf(there, '/api/v1/timelines/home', '203.0.113.66'), 403, 'the other process')
  const signIn = await here.post('/oauth/token', { grant_type: 'password' }, from('203.0.113.67'))
  assert.equal(signIn.status, 403)
  entityOf(await admin.put(`${PATH}/${id}`, { severity: 'sign_up_block' }))
  assert.equal(await statusOf(here, '/api/v1/timelines/home', '203.0.113.65'), 200)
  await becomes(() => statusOf(there, '/api/v1/timelines/home', '203.0.113.65'), 200, 'the other process')
  const other = entityOf(await admin.post(PATH, { ip: '203.0.113.65', severity: 'no_access', expires_in: 1 }))
  await sql(first, `update ip_blocks set expires_at = now() - interval '1 second' where id = $1`, [other.id])
  // An expired rule may be made again.
  entityOf(await admin.post(PATH, { ip: '203.0.113.65', severity: 'no_access' }))
  assert.equal(await statusOf(here, '/api/v1/timelines/home', '203.0.113.65'), 403)
  await admin.delete(`${PATH}/${other.id}`)
  assert.equal(await statusOf(here, '/api/v1/timelines/home', '203.0.113.65'), 200)
})

test('a rule about sign-up refuses it, or lets the staff decide', async t => {
  const { server, admin } = await staff(t)
  const application = new Client(server, await makeToken(server, null))
  const signUp = (username: string, address: string) =>
    application.post(
      '/api/v1/accounts',
      { username, email: `${username}@example.com`, password: 'correct horse battery', agreement: true, locale: 'en' },
      { 'X-Forwarded-For': address },
    )
  entityOf(await admin.post(PATH, { ip: '198.51.100.50', severity: 'sign_up_block' }))
  entityOf(await admin.post(PATH, { ip: '198.51.100.51', severity: 'sign_up_requires_approval' }))
  refuses(await signUp('one', '198.51.100.50'), 403, 'Forbidden')
  entityOf(await signUp('two', '198.51.100.51'))
  entityOf(await signUp('three', '198.51.100.52'))
  const rows = await sql(
    server,
    `select a.username, u.approved from users u join accounts a on a.id = u.account_id
     where a.username in ('one', 'two', 'three') order by a.id`,
  )
  assert.deepEqual(rows, [
    { username: 'two', approved: false },
    { username: 'three', approved: true },
  ])
})
