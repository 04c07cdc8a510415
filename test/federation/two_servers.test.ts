import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { suspendHost } from '../support/federation/domain_rules.ts'
import { person, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

/* Two servers of ours with people who follow each other. */

interface Side {
  readonly server: TestServer
  readonly who: Person
  readonly acct: string
}

async function startSide(t: Test, name: string): Promise<Side> {
  const server = await startServer(t)
  const who = await person(server, name)
  t.after(() => who.close())
  return { server, who, acct: `${who.username}@${server.config.localDomain}` }
}

type Entity = Record<string, unknown> & { id: string }

/** The account of the other side, found by its handle as people do. */
async function find({ who }: Side, other: Side): Promise<Entity> {
  const response = await who.get('/api/v2/search', { q: `@${other.acct}`, resolve: 'true', type: 'accounts' })
  assert.equal(response.status, 200, response.text)
  const [account] = (response.json as { accounts: Entity[] }).accounts
  assert.ok(account, 'the other server was asked')
  assert.equal(account['acct'], other.acct)
  return account
}

const relationOf = async ({ who }: Side, { id }: Entity): Promise<Record<string, unknown>> =>
  ((await who.get('/api/v1/accounts/relationships', { id })).json as Record<string, unknown>[])[0] ?? {}

/** Waits for a notification of an activity of the other server. */
async function notified(who: Person, type: string, act: () => Promise<unknown>): Promise<Entity> {
  const stream = await who.stream('user:notification')
  await act()
  for (;;) {
    const { payload } = await stream.next('notification')
    if ((payload as Entity)['type'] === type) return payload as Entity
  }
}

test("accounts on two servers follow each other and read each other's posts", async t => {
  const [here, there] = [await startSide(t, 'alice'), await startSide(t, 'bob')]
  const bob = await find(here, there)
  const alice = await find(there, here)

  const followed = await notified(there.who, 'follow', () => here.who.post(`/api/v1/accounts/${bob.id}/follow`))
  assert.equal((followed['account'] as Entity)['acct'], here.acct)
  await notified(here.who, 'follow', () => there.who.post(`/api/v1/accounts/${alice.id}/follow`))
  const home = await here.who.stream('user')
  const posted = await there.who.postStatus('hello from there', { language: 'en', spoiler_text: 'news' })
  const update = (await home.next('update')).payload as Entity
  const relation = await relationOf(here, bob)
  assert.deepEqual([relation['following'], relation['followed_by']], [true, true])
  assert.match(String(update['content']), /hello from there/)
  assert.deepEqual([update['uri'], update['url']], [posted['uri'], posted['url']])
  assert.deepEqual([update['spoiler_text'], update['language'], update['visibility']], ['news', 'en', 'public'])
  assert.equal((update['account'] as Entity)['acct'], there.acct)

  const liked = await notified(there.who, 'favourite', () => here.who.post(`/api/v1/statuses/${update.id}/favourite`))
  assert.equal((liked['status'] as Entity).id, posted.id)
  const boosted = await notified(there.who, 'reblog', () => here.who.post(`/api/v1/statuses/${update.id}/reblog`))
  assert.equal((boosted['status'] as Entity).id, posted.id)

  const edited = home.next('status.update')
  await there.who.put(`/api/v1/statuses/${posted.id}`, { status: 'changed there' })
  assert.match(String(((await edited).payload as Entity)['content']), /changed there/)

  const secret = await there.who.postStatus('for followers', { visibility: 'private' })
  const received = (await home.next('update')).payload as Entity
  assert.deepEqual([received['uri'], received['visibility']], [secret['uri'], 'private'])

  const deletion = home.next('delete')
  await there.who.delete(`/api/v1/statuses/${posted.id}`)
  assert.equal((await deletion).payload, update.id)

  const ended = here.who.post(`/api/v1/accounts/${bob.id}/unfollow`)
  await ended
  const last = await notified(here.who, 'follow', async () => {
    await there.who.post(`/api/v1/accounts/${alice.id}/unfollow`)
    await there.who.post(`/api/v1/accounts/${alice.id}/follow`)
  })
  assert.equal((last['account'] as Entity)['acct'], there.acct)
  assert.equal((await relationOf(there, alice))['followed_by'], false, 'the end of the follow arrived')
})

test('a post is found by its URL on its server', async t => {
  const [here, there] = [await startSide(t, 'alice'), await startSide(t, 'bob')]
  const posted = await there.who.postStatus('look me up')
  const ask = async (q: string) => {
    const response = await here.who.get('/api/v2/search', { q, resolve: 'true' })
    assert.equal(response.status, 200, response.text)
    return response.json as { accounts: Entity[]; statuses: Entity[] }
  }
  const { statuses } = await ask(String(posted['url']))
  assert.deepEqual([statuses.length, statuses[0]?.['uri']], [1, posted['uri']])
  const { accounts } = await ask(`${there.server.url}/@${there.who.username}`)
  assert.equal(accounts[0]?.['acct'], there.acct)
  // What nobody has, or may see, is not found; nor is anything of a suspended server.
  const secret = await there.who.postStatus('secret', { visibility: 'private' })
  for (const q of [String(secret['url']), `${there.server.url}/@nobody`, 'http://127.0.0.1:9/nothing']) {
    const found = await ask(q)
    assert.deepEqual([found.accounts, found.statuses], [[], []], q)
  }
  await suspendHost(here.server, there.server.config.localDomain)
  const late = async (): Promise<unknown> => {
    const other = await there.who.postStatus('too late')
    return (await ask(String(other['url']))).statuses
  }
  await becomes(late, [], 'the rule applies')
})
