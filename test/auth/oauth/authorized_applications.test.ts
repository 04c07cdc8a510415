import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { person, sql, waitForEventLog } from '../../support/people.ts'
import { type TestApplication } from '../../support/oauth.ts'
import { sharedServer } from '../../support/server.ts'
import { setting, authorizePath, exchange, parametersOf, approve, errorOf } from './authorization.ts'

test('an application of the server itself needs no consent', async () => {
  const { server, app, browser } = await setting()
  await sql(server, 'update applications set superapp = true where id = $1', [app.id])
  const { status, location } = await browser.get(authorizePath(app))
  assert.deepEqual([status, Object.keys(parametersOf(location))], [302, ['code']])
})

test('withdrawing an application ends its push subscriptions and streams; a suspended user may not', async () => {
  const given = await setting()
  const { server, browser, app, username } = given
  const response = await exchange(
    server,
    app,
    parametersOf((await approve(given, { scope: 'read push' })).location)['code'] ?? '',
  )
  const holder = new Client(server, (response.json as Record<string, string>)['access_token'])
  const second = await exchange(
    server,
    app,
    parametersOf((await approve(given, { scope: 'read' })).location)['code'] ?? '',
  )
  const { code: unused = '' } = parametersOf((await approve(given, { scope: 'write' })).location)
  const stream = await holder.stream('user')
  await sql(
    server,
    `insert into push_subscriptions (user_id, token_id, endpoint, key_p256dh, key_auth, sealed_token)
     select t.user_id, t.id, 'https://push.example/withdrawn', 'x', 'x', '\\x00' from oauth_tokens t where t.application_id = $1`,
    [app.id],
  )
  const page = await browser.get('/oauth/authorized_applications')
  await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.equal((await stream.end()).code, 1000)
  assert.deepEqual(await sql(server, `select 1 from push_subscriptions where endpoint like '%withdrawn'`), [])
  const other = new Client(server, (second.json as Record<string, string>)['access_token'])
  for (const client of [holder, other]) assert.equal((await client.get('/api/v1/apps/verify_credentials')).status, 401)
  assert.equal(errorOf(await exchange(server, app, unused)), 'invalid_grant')
  await sql(
    server,
    `with gone as (update accounts set suspended_at = now() where username = $1 returning id)
     insert into events (kind, account_id, data) select 'account.changed', id, '{"change": "suspended"}' from gone`,
    [username],
  )
  const witness = await person(server, 'witness')
  await waitForEventLog(witness)
  await witness.close()
  const refused = await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.equal(refused.status, 403)
})

test('a user sees the authorized applications and revokes one', async () => {
  const given = await setting({ client_name: 'Withdrawn' })
  const { server, browser, app } = given
  const response = await exchange(server, app, parametersOf((await approve(given)).location)['code'] ?? '')
  const holder = new Client(server, (response.json as Record<string, string>)['access_token'])
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  const { client_id, client_secret, client_secret_expires_at, ...known } = app as TestApplication &
    Record<string, unknown>
  const secrets = [client_id, client_secret, client_secret_expires_at]
  assert.deepEqual((await holder.get('/api/v1/apps/verify_credentials')).json, known)
  assert.deepEqual([known['scopes'], secrets.includes(undefined)], [['read', 'write', 'push', 'profile'], false])
  const page = await browser.get('/oauth/authorized_applications')
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.match(page.text, /Withdrawn/)
  const listed = JSON.parse((await browser.get('/oauth/authorized_applications', { accept: 'application/json' })).text)
  assert.equal(listed.length >= 1 && listed.some((one: { id: string }) => one.id === app.id), true)
  const withdrawn = await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.deepEqual([withdrawn.status, withdrawn.location], [302, '/oauth/authorized_applications'])
  const after = await holder.get('/api/v1/apps/verify_credentials')
  assert.deepEqual([after.status, after.json], [401, { error: 'The access token was revoked' }])
  const stranger = await new Browser(server).get('/oauth/authorized_applications')
  assert.deepEqual([stranger.status, stranger.location], [302, '/auth/sign_in'])
})

test('/oauth/applications answers 403', async () => {
  const client = new Client(await sharedServer())
  for (const path of ['', '/new', '/1', '/1/edit']) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await client.request(method, `/oauth/applications${path}`)
      assert.deepEqual([status, text], [403, ''])
    }
  }
})
