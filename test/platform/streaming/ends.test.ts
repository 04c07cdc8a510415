import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { makeToken, people, person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { openSocket } from '../../support/socket.ts'

test('a revoked token ends only its own streams', async t => {
  const { alice, server } = await people(t, 'alice')
  const app = await registerApplication(server, { scopes: 'read write' })
  await sql(server, `update oauth_tokens set application_id = $2 where user_id = $1`, [alice.userId, app.id])
  const other = await openSocket(server, await makeToken(server, alice.userId), 'user')
  t.after(() => other.close())
  const socket = await alice.stream('user')
  const events = await alice.events('user')
  const revoked = await alice.post('/oauth/revoke', {
    client_id: app.client_id,
    client_secret: app.client_secret,
    token: alice.token,
  })
  assert.equal(revoked.status, 200, revoked.text)
  assert.equal((await socket.end()).code, 1000)
  await events.end()
  const id = 'still open'
  await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
  assert.equal((await other.next('filters_changed')).payload, undefined, id)
})

interface Asked {
  readonly server: TestServer
  readonly alice: Person & { email: string }
}

/** As an operator does, from another process. */
async function operate({ server }: Asked, ...given: string[]): Promise<void> {
  const { code, err } = await runHere(given, { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir })
  assert.equal(code, 0, err)
}

async function signIn({ server, alice }: Asked): Promise<Browser> {
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  return browser
}

/** The causes that end streams; for account deletion see test/accounts/deletion. */
const ENDS: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  'all tokens are revoked': ({ server, alice }) =>
    sql(server, `insert into events (kind, account_id) values ('token.revoked', $1)`, [alice.id]),
  'the login is disabled': asked => operate(asked, 'accounts', 'modify', asked.alice.username, '--disable'),
  'the account is suspended': asked => operate(asked, 'accounts', 'suspend', asked.alice.username),
  'the password is changed': async asked => {
    const browser = await signIn(asked)
    const changed = await browser.submit(
      await browser.get('/auth/edit'),
      '/auth',
      {
        'user[password]': 'another horse battery',
        'user[password_confirmation]': 'another horse battery',
        'user[current_password]': PASSWORD,
      },
      'put',
    )
    assert.equal(changed.status, 302, changed.text)
  },
  'the application is withdrawn': async asked => {
    const browser = await signIn(asked)
    const page = await browser.get('/oauth/authorized_applications')
    const form = page.forms.find(({ fields, action }) => fields['_method'] === 'delete' && action.startsWith('/oauth'))
    assert.ok(form, page.text)
    assert.equal((await browser.submit(page, form.action, {}, 'delete')).status, 302)
  },
}

const PATHS = [
  'user',
  'user/notification',
  'public',
  'public/local',
  'public/remote',
  'hashtag?tag=tea',
  'hashtag/local?tag=tea',
  'direct',
]

for (const [reason, end] of Object.entries(ENDS)) {
  test(`streams end when ${reason}`, async t => {
    const { bob, server } = await people(t, 'bob')
    const alice = await personWithPassword(server, 'alice')
    t.after(() => alice.close())
    const socket = await alice.stream('user')
    const { id: list } = (await alice.post('/api/v1/lists', { title: 'close' })).json as { id: string }
    const all = await Promise.all([...PATHS, `list?list=${list}`].map(path => alice.events(path)))
    const stays = await bob.stream('user')
    await end({ server, alice })
    assert.equal((await socket.end()).code, 1000)
    for (const events of all) await events.end()
    await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [bob.id])
    await stays.next('filters_changed')
  })
}

test('a profile change does not end streams', async t => {
  const { alice } = await people(t, 'alice')
  const socket = await alice.stream('user')
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' })
  const { id } = await alice.postStatus('still here')
  await socket.next('update', ({ payload }) => (payload as { id: string }).id === id)
})

test('a stopping server closes sockets with 1001 and ends streams of events', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const sockets = await Promise.all([alice.stream('user'), alice.stream('public'), alice.stream()])
  const events = await alice.events('user')
  await server.stop()
  for (const socket of sockets) assert.equal((await socket.end()).code, 1001)
  await events.end()
  assert.equal(events.textWithoutComments, ':)\n')
})
