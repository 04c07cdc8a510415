import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

test('a single-user server refuses sign-ups and shows the profile of its user', async t => {
  const server = await startServer(t, { env: { SINGLE_USER_MODE: 'true' } })
  const visitor = new Browser(server)
  assert.equal((await visitor.get('/')).status, 200, 'before the first user')
  const alice = await person(server, 'alice')
  await person(server, 'bob')
  await sql(server, `insert into invites (user_id, code) values ($1, 'AbCdEfGh')`, [alice.userId])
  const start = await visitor.get('/?again')
  assert.deepEqual([start.status, start.text.includes(`@${alice.username}`)], [200, true])
  for (const path of ['/auth/sign_up', '/auth/sign_up?invite_code=AbCdEfGh', '/invite/AbCdEfGh'])
    assert.equal((await visitor.get(path)).location, '/auth/sign_in', path)
  const invited = await new Client(server).get('/invite/AbCdEfGh', {}, { accept: 'application/json' })
  assert.deepEqual([invited.status, invited.json], [403, { error: 'This action is not allowed' }])
  assert.ok(!(await visitor.get('/auth/sign_in')).text.includes('/auth/sign_up'))
  const application = new Client(server, await makeToken(server, null))
  const wanted = { username: 'guest', email: 'guest@example.com', password: 'correct horse', agreement: true }
  for (const more of [{}, { invite_code: 'AbCdEfGh' }]) {
    const refused = await application.post('/api/v1/accounts', { ...wanted, ...more })
    assert.deepEqual([refused.status, refused.json], [403, { error: 'Forbidden' }])
  }
  const { json } = await new Client(server).get('/api/v2/instance')
  assert.equal((json as { registrations: { enabled: unknown } }).registrations.enabled, false)
  const old = await new Client(server).get('/api/v1/instance')
  assert.equal((old.json as { registrations: unknown }).registrations, false)
})
