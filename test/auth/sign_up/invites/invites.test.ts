import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../../support/browser.ts'
import { Client } from '../../../support/client.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { connect, waitForLocks } from '../../../support/other_transaction.ts'
import { makeToken, person, sql } from '../../../support/people.ts'
import { sharedServer, startServer } from '../../../support/server.ts'

test('an invite is created on a page, checked by an application, and deactivated', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const made = await browser.submit(await browser.get('/invites'), '/invites', {
    'invite[max_uses]': '5',
    'invite[expires_in]': '1800',
    'invite[autofollow]': '1',
    'invite[comment]': 'for <b>friends</b>',
  })
  assert.deepEqual([made.status, made.location], [302, '/invites'])
  const refused = await browser.submit(await browser.get('/invites'), '/invites', {
    'invite[max_uses]': '25',
    'invite[expires_in]': '',
    'invite[autofollow]': '1',
    'invite[comment]': 'x'.repeat(421),
  })
  const { authenticity_token: _, ...kept } = refused.forms.find(({ action }) => action === '/invites')?.fields ?? {}
  assert.deepEqual(kept, {
    'invite[max_uses]': '25',
    'invite[expires_in]': '',
    'invite[autofollow]': '1',
    'invite[comment]': 'x'.repeat(421),
  })
  const page = await browser.get('/invites')
  const code = /\/invite\/([2-9A-HJ-NP-Za-km-z]{8})</.exec(page.text)?.[1] ?? ''
  assert.ok(page.text.includes('for &lt;b&gt;friends&lt;/b&gt;'))
  const check = () => new Client(server).request('GET', `/invite/${code}`, { headers: { accept: 'application/json' } })
  assert.deepEqual((await check()).json, { invite_code: code, instance_api_url: `${server.url}/api/v2/instance` })
  const action = page.forms.find(form => form.fields['_method'] === 'delete' && form.action.startsWith('/invites/'))
  assert.ok(action)
  const bob = await personWithPassword(server, 'bob')
  const other = new Browser(server)
  await other.signIn(bob.email, PASSWORD)
  const token = (await other.get('/invites')).forms[0]?.fields['authenticity_token'] ?? ''
  const stolen = await other.post(action.action, { _method: 'delete', authenticity_token: token })
  assert.equal(stolen.status, 404, 'an invite of another user')
  await browser.submit(page, action.action, {}, 'delete')
  const used = await check()
  assert.deepEqual([used.status, used.json], [401, { error: 'This invite is not valid' }])
  const accept = { accept: 'application/json' }
  const unknown = await new Client(server).get('/invite/nonsense', {}, accept)
  assert.deepEqual([unknown.status, unknown.json], [404, { error: 'Record not found' }])
})

test('all invites of a person are listed, on several pages', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const codes = Array.from({ length: 85 }, (_, at) => `many${String(at).padStart(4, '0')}`)
  await sql(server, 'insert into invites (user_id, code) select $1, unnest($2::text[])', [alice.userId, codes])
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const listed: string[] = []
  const pages = ['/invites']
  for (const path of pages) {
    const { text } = await browser.get(path)
    for (const [, code = ''] of text.matchAll(/\/invite\/(many\d+)</g)) listed.push(code)
    const older = /href="(\/invites\?[^"]+)" rel="next"/.exec(text)?.[1]
    if (older) pages.push(older)
  }
  assert.equal(pages.length, 3)
  assert.deepEqual(listed, codes.toReversed())
})

test('the link of an invite tells an application whether somebody may sign up with it', async t => {
  const server = await startServer(t, { settings: { disallow_unauthenticated_api_access: true } })
  const [host, admin] = [await person(server, 'host'), await person(server, 'admin', { roleId: 2 })]
  for (const [code, columns] of [
    ['allgoods', {}],
    ['tooooold', { expires_at: new Date(0) }],
    ['usedupup', { max_uses: 1, uses: 1 }],
  ] as const) {
    const row = { user_id: host.userId, code, ...columns }
    const marks = Object.keys(row).map((_, place) => `$${place + 1}`)
    await sql(server, `insert into invites (${Object.keys(row).join()}) values (${marks.join()})`, Object.values(row))
  }
  await admin.post('/api/v1/admin/ip_blocks', { ip: '198.51.100.4', severity: 'sign_up_block' })
  const check = async (code: string, address = '198.51.100.5'): Promise<unknown[]> => {
    const headers = { accept: 'application/json', 'x-forwarded-for': address }
    const { status, json } = await new Client(server).request('GET', `/invite/${code}`, { headers })
    return [status, json]
  }
  const info = { invite_code: 'allgoods', instance_api_url: `${server.url}/api/v2/instance` }
  assert.deepEqual(await check('allgoods'), [200, info])
  const invalid = [401, { error: 'This invite is not valid' }]
  for (const code of ['tooooold', 'usedupup']) assert.deepEqual(await check(code), invalid, code)
  assert.deepEqual(await check('unheardof'), [404, { error: 'Record not found' }])
  assert.deepEqual(await check('allgoods', '198.51.100.4'), [403, { error: 'This action is not allowed' }])
  await sql(server, 'update users set disabled = true where id = $1', [host.userId])
  assert.deepEqual(await check('allgoods'), invalid)
})

test('a user without the permission cannot invite', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  await sql(
    server,
    `with changed as (update roles set permissions = 0 where id = -99)
    insert into events (kind) values ('role.changed')`,
  )
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  assert.equal((await browser.get('/invites')).status, 403)
})

test('nobody signs up with an invite that is deactivated while the password is hashed', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'none' } })
  const host = await person(server, 'host')
  const app = new Client(server, await makeToken(server, null))
  await sql(server, `insert into invites (user_id, code) values ($1, 'AbCdEfGh')`, [host.userId])
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('update invites set expires_at = now()')
  const wanted = { username: 'guest', email: 'guest@example.com', password: 'correct horse', agreement: true }
  const late = app.post('/api/v1/accounts', { ...wanted, invite_code: 'AbCdEfGh' })
  await waitForLocks(server, 1, late)
  await other.query('commit')
  assert.equal((await late).status, 403)
  assert.deepEqual(await sql(server, `select id from accounts where username = 'guest'`), [])
})
