import assert from 'node:assert/strict'
import { openDatabase } from '../../src/platform/database/index.ts'
import { openSettings } from '../../src/platform/settings/index.ts'
import { NEVER } from 'rxjs'
import { test } from 'tap'
import { Client, linkOf } from '../support/client.ts'
import { makeToken, people, person, sql } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

const PUBLIC = '/api/v1/timelines/public'

async function ids(client: Client, path: string, query: Record<string, string | string[]> = {}): Promise<string[]> {
  const response = await client.get(path, query)
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(status => status.id)
}

/** Changes settings as another process would; the server learns of it by the event. */
async function configure(
  server: TestServer,
  client: Client,
  values: Record<string, unknown>,
  path: string,
): Promise<void> {
  const database = openDatabase({ connection: { connectionString: server.databaseUrl }, poolSize: 1 })
  const settings = await openSettings(database, NEVER)
  const before = (await client.get(path)).text
  await settings.setAll(values)
  settings.close()
  await database.close()
  const until = Date.now() + 5000
  while ((await client.get(path)).text === before && Date.now() < until) await new Promise(setImmediate)
}

test('public posts and authors’ replies to themselves, newest first', async t => {
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const anonymous = new Client(server)
  const status = await alice.postStatus('hello')
  const thread = await alice.postStatus('more', { in_reply_to_id: status.id })
  await bob.postStatus('an answer', { in_reply_to_id: status.id })
  await bob.postStatus('unlisted', { visibility: 'unlisted' })
  await bob.postStatus('private', { visibility: 'private' })
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await ids(anonymous, PUBLIC), [thread.id, status.id])
  assert.deepEqual(await ids(bob, PUBLIC), [thread.id, status.id])
  assert.deepEqual(await ids(bob, PUBLIC, { local: 'true' }), [thread.id, status.id])
  assert.deepEqual(await ids(bob, PUBLIC, { remote: 'true' }), [])
  assert.deepEqual(await ids(bob, PUBLIC, { remote: 'true', local: 'true' }), [thread.id, status.id])
  // By SQL, without an event to the server: the requests below have not been made before, so
  // nothing is cached.
  await sql(server, `update statuses set media_attachment_ids = '{1}' where id = $1`, [status.id])
  assert.deepEqual(await ids(bob, PUBLIC, { only_media: 'true' }), [status.id])
  assert.deepEqual(await ids(bob, PUBLIC, { only_media: 'true', min_id: '1' }), [status.id])
})

test('a reply to another account does not become a post of its own when its parent is deleted', async t => {
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const status = await alice.postStatus('hello')
  await bob.postStatus('an answer', { in_reply_to_id: status.id })
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await ids(new Client(server), PUBLIC), [])
})

test('authors whom the viewer blocks, mutes or is blocked by are excluded, and limited and suspended ones', async t => {
  const server = await startServer(t)
  const names = ['viewer', 'blocked', 'muted', 'blocker', 'limited', 'suspended', 'remote', 'plain'] as const
  const made = await Promise.all(names.map(name => person(server, name)))
  const byName = Object.fromEntries(names.map((name, index) => [name, made[index]]))
  const { viewer, blocked, muted, blocker, limited, suspended, remote, plain } = byName
  if (!viewer || !blocked || !muted || !blocker || !limited || !suspended || !remote || !plain)
    throw new Error('people')
  for (const one of made) await one.postStatus(`${one.username} #aaa`)
  await viewer.post(`/api/v1/accounts/${blocked.id}/block`)
  await viewer.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocker.post(`/api/v1/accounts/${viewer.id}/block`)
  await sql(server, 'update accounts set silenced_at = now() where id = $1', [limited.id])
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [suspended.id])
  await sql(server, `update accounts set domain = 'x.example', uri = 'https://x.example/users/' || id where id = $1`, [
    remote.id,
  ])
  await sql(server, 'update statuses set local = false where account_id = $1', [remote.id])
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'x.example')`, [viewer.id])
  for (const path of [PUBLIC, '/api/v1/timelines/tag/aaa']) {
    const seen = async (client: Client): Promise<string[]> =>
      ((await client.get(path)).json as { account: { id: string } }[]).map(status => status.account.id).toSorted()
    assert.deepEqual(await seen(viewer), [viewer.id, plain.id].toSorted(), path)
    assert.deepEqual(
      await seen(new Client(server)),
      [viewer.id, blocked.id, muted.id, blocker.id, remote.id, plain.id].toSorted(),
      path,
    )
    assert.equal((await ids(plain, path, { remote: 'true' })).length, 1, path)
    assert.equal((await ids(plain, path, { local: 'true' })).length, 5, path)
  }
})

test('chosen languages apply to the public timeline, not to tags', async t => {
  const server = await startServer(t)
  const viewer = await person(server, 'viewer', { user: { chosen_languages: ['de'] } })
  const german = await viewer.postStatus('Deutsch #sprache', { language: 'de' })
  const english = await viewer.postStatus('English #sprache', { language: 'en' })
  assert.deepEqual(await ids(viewer, PUBLIC), [german.id])
  assert.deepEqual(await ids(viewer, '/api/v1/timelines/tag/sprache'), [english.id, german.id])
  assert.deepEqual(await ids(new Client(server), PUBLIC), [english.id, german.id])
})

test('pages by max_id, since_id and min_id', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const all: string[] = []
  for (let count = 0; count < 7; count++) all.unshift((await alice.postStatus(`post ${count} #bbb`)).id)
  for (const path of [PUBLIC, '/api/v1/timelines/tag/bbb']) {
    const at = (index: number): string => all[index] ?? ''
    assert.deepEqual(await ids(alice, path, { limit: '3', max_id: at(2) }), all.slice(3, 6))
    assert.deepEqual(await ids(alice, path, { limit: '2', since_id: at(4) }), all.slice(0, 2))
    assert.deepEqual(await ids(alice, path, { limit: '2', min_id: at(4) }), all.slice(2, 4))
    assert.deepEqual(await ids(alice, path, { limit: '9', min_id: at(4), max_id: at(1) }), all.slice(2, 4))
    const response = await alice.get(path, { limit: '3', only_media: 'false' })
    assert.equal(linkOf(response, 'next'), `${path}?limit=3&max_id=${at(2)}&only_media=false`)
    assert.equal(linkOf(response, 'prev'), `${path}?limit=3&min_id=${at(0)}&only_media=false`)
    const last = await alice.get(path, { max_id: at(5) })
    assert.notEqual(linkOf(last, 'next'), undefined)
    assert.equal((await alice.get(path, { max_id: at(6) })).headers.get('link'), null)
    assert.equal((await alice.get(path, { limit: '0' })).text, '[]')
  }
})

test('tags: other spellings, any, all and none', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const one = `one${alice.id}`
  const two = `two${alice.id}`
  const first = await alice.postStatus(`#${one}`)
  const second = await alice.postStatus(`#${two}`)
  const both = await alice.postStatus(`#${one.toUpperCase()} #${two}`)
  const path = `/api/v1/timelines/tag/${one.toUpperCase()}`
  assert.deepEqual(await ids(anonymous, path), [both.id, first.id])
  assert.deepEqual(await ids(anonymous, path, { 'any[]': [two, 'nobodyusedthis'] }), [both.id, second.id, first.id])
  assert.deepEqual(await ids(anonymous, path, { any: two }), [both.id, second.id, first.id])
  assert.deepEqual(await ids(anonymous, path, { 'all[]': [two] }), [both.id])
  assert.deepEqual(await ids(anonymous, path, { 'all[]': [two, 'nobodyusedthis'] }), [both.id])
  assert.deepEqual(await ids(anonymous, path, { 'none[]': [two] }), [first.id])
  assert.deepEqual(await ids(anonymous, path, { 'any[]': [two], min_id: first.id }), [both.id, second.id])
  assert.deepEqual(await ids(anonymous, '/api/v1/timelines/tag/nobodyusedthis', { 'any[]': [one] }), [])
})

test('responses are cacheable for anonymous callers only', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  for (const path of [PUBLIC, '/api/v1/timelines/tag/ccc']) {
    assert.match((await anonymous.get(path)).headers.get('cache-control') ?? '', /max-age=15, public/)
    assert.equal((await alice.get(path)).headers.get('cache-control'), 'private, no-store')
  }
})

test('feeds only for authenticated users', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const pending = await person(server, 'pending', { user: { approved: false } })
  const anonymous = new Client(server)
  const app = new Client(server, await makeToken(server, null))
  const status = await alice.postStatus('hello #ddd')
  const settings = { local_live_feed_access: 'authenticated', remote_topic_feed_access: 'authenticated' }
  await configure(server, anonymous, settings, PUBLIC)
  for (const client of [anonymous, app]) {
    const refused = await client.get(PUBLIC)
    assert.equal(refused.status, 422)
    assert.equal(refused.text, '{"error":"This method requires an authenticated user"}')
    assert.equal((await client.get(PUBLIC, { local: 'true' })).status, 422)
    assert.deepEqual(await ids(client, PUBLIC, { remote: 'true' }), [])
    assert.equal((await client.get('/api/v1/timelines/tag/ddd')).status, 422)
    assert.deepEqual(await ids(client, '/api/v1/timelines/tag/ddd', { local: 'true' }), [status.id])
  }
  assert.equal((await pending.get(PUBLIC)).status, 422)
  assert.deepEqual(await ids(alice, PUBLIC), [status.id])
})

test('a disabled feed needs a permission', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const admin = await person(server, 'admin', { roleId: 3 })
  const anonymous = new Client(server)
  const status = await alice.postStatus('hello')
  await configure(server, anonymous, { local_live_feed_access: 'disabled' }, PUBLIC)
  assert.equal((await anonymous.get(PUBLIC)).status, 422)
  assert.deepEqual(await ids(alice, PUBLIC), [])
  assert.deepEqual(await ids(alice, PUBLIC, { local: 'true' }), [])
  assert.deepEqual(await ids(admin, PUBLIC), [status.id])
})

test('direct posts by and to the viewer', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const sent = await alice.postStatus(`@${bob.username} a`, { visibility: 'direct' })
  const got = await bob.postStatus(`@${alice.username} b`, { visibility: 'direct' })
  await carol.postStatus(`@${alice.username} c`)
  const path = '/api/v1/timelines/direct'
  assert.deepEqual(await ids(alice, path), [got.id, sent.id])
  assert.deepEqual(await ids(alice, path, { min_id: sent.id }), [got.id])
  assert.deepEqual(await ids(carol, path), [])
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await ids(alice, path), [sent.id])
})
