import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { linkOf, type Client } from '../support/client.ts'
import { people, sql, waitForEventLog, type Person } from '../support/people.ts'
import { requestFromEach } from '../support/processes.ts'

/** Ids of the home feed, newest first. */
async function home(person: Person, query: Record<string, string> = {}): Promise<string[]> {
  const response = await person.get('/api/v1/timelines/home', query)
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(status => status.id)
}

async function ok(response: Promise<{ status: number; text: string; json: unknown }>): Promise<{ id: string }> {
  const { status, text, json } = await response
  assert.equal(status, 200, text)
  return json as { id: string }
}

const boost = async (person: Person, id: string): Promise<string> =>
  (await ok(person.post(`/api/v1/statuses/${id}/reblog`))).id

test('a follow merges existing posts, new posts appear at once, an unfollow removes them all', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const before = await bob.postStatus('before')
  assert.deepEqual(await home(alice), [])
  await alice.follow(bob)
  assert.deepEqual(await home(alice), [before.id])
  const after = await bob.postStatus('after')
  const own = await alice.postStatus('own')
  assert.deepEqual(await home(alice), [own.id, after.id, before.id])
  await ok(alice.post(`/api/v1/accounts/${bob.id}/unfollow`))
  assert.deepEqual(await home(alice), [own.id])
})

test('changes of an author that concern no feed leave the feeds of the followers in memory', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  const { id } = await bob.postStatus('here')
  const misses = async (): Promise<string | undefined> =>
    /^millrace_cache_misses\{cache="feeds"\} (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]
  const read = (): Promise<unknown> => requestFromEach(() => alice.get('/api/v1/timelines/home'))
  await read()
  const before = await misses()
  assert.notEqual(before, undefined)
  for (const change of ['verified', 'aliases', 'moved', 'sensitized', 'unsensitized'])
    await sql(server, `insert into events (kind, account_id, data) values ('account.changed', $1, $2)`, [
      bob.id,
      { change },
    ])
  await waitForEventLog(carol)
  await read()
  assert.deepEqual([await home(alice), await misses()], [[id], before])
})

test('own posts of any visibility appear at once, and deleted ones disappear', async t => {
  const { alice } = await people(t, 'alice')
  await home(alice)
  const ids: string[] = []
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    ids.unshift((await alice.postStatus('mine', { visibility })).id)
  assert.deepEqual(await home(alice), ids)
  await ok(alice.delete(`/api/v1/statuses/${ids[0]}`))
  assert.deepEqual(await home(alice), ids.slice(1))
})

test('replies to accounts that are not followed are excluded', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await home(alice)
  const root = await carol.postStatus('root')
  const response = await bob.postStatus('an answer', { in_reply_to_id: root.id })
  assert.deepEqual(await home(alice), [])
  const thread = await bob.postStatus('first')
  const more = await bob.postStatus('second', { in_reply_to_id: thread.id })
  assert.deepEqual(await home(alice), [more.id, thread.id])
  const mine = await alice.postStatus('hello')
  const reply = await bob.postStatus('hi', { in_reply_to_id: mine.id })
  assert.deepEqual(await home(alice), [reply.id, mine.id, more.id, thread.id])
  await alice.follow(carol)
  assert.deepEqual(await home(alice), [reply.id, mine.id, more.id, thread.id, response.id, root.id])
})

test('followers who are mentioned receive direct posts', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await home(alice)
  const named = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  await bob.postStatus(`@${carol.username} psst`, { visibility: 'direct' })
  await carol.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  assert.deepEqual(await home(alice), [named.id])
})

test('boosts: one for a status, the next one when it is removed', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  await alice.follow(bob)
  await alice.follow(carol)
  await home(alice)
  const status = await dora.postStatus('boost me')
  const first = await boost(bob, status.id)
  const second = await boost(carol, status.id)
  assert.deepEqual(await home(alice), [first])
  await ok(bob.post(`/api/v1/statuses/${status.id}/unreblog`))
  assert.deepEqual(await home(alice), [second])
  const own = await bob.postStatus('by somebody followed')
  await boost(carol, own.id)
  assert.deepEqual(await home(alice), [own.id, second])
  await ok(dora.delete(`/api/v1/statuses/${status.id}`))
  assert.deepEqual(await home(alice), [own.id])
})

test('the boost that brought a status into the feed stays when another source of the status is followed later', async t => {
  const { alice, bob, carol, dora, eve, server } = await people(t, 'alice', 'bob', 'carol', 'dora', 'eve')
  await alice.follow(bob)
  const tag = `later${randomBytes(4).toString('hex')}`
  const status = await carol.postStatus(`boost me #${tag}`)
  const older = await boost(eve, status.id)
  const there = await boost(bob, status.id)
  assert.deepEqual(await home(alice), [there])
  // Its author, an account that boosted it before, and its hashtag.
  await alice.follow(carol)
  assert.deepEqual(await home(alice), [there])
  await alice.follow(eve)
  assert.deepEqual(await home(alice), [there])
  await ok(alice.post(`/api/v1/tags/${tag}/follow`))
  assert.deepEqual(await home(alice), [there])
  // Later boosts are hidden as always.
  await alice.follow(dora)
  await boost(dora, status.id)
  assert.deepEqual(await home(alice), [there])
  const next = await carol.postStatus('the next one comes by itself')
  await boost(bob, next.id)
  assert.deepEqual(await home(alice), [next.id, there])
  // A feed that is read again is the same.
  await sql(server, `insert into events (kind) values ('caches.cleared')`)
  await waitForEventLog(alice)
  assert.deepEqual((await home(alice)).slice(1), [next.id, there])
  await ok(bob.post(`/api/v1/statuses/${status.id}/unreblog`))
  assert.deepEqual((await home(alice)).slice(1), [next.id, status.id])
  assert.ok(BigInt(older) > BigInt(status.id))
})

test('a boost by an account that is followed later does not replace the status', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await carol.postStatus('boost me')
  await boost(bob, status.id)
  await alice.follow(carol)
  assert.deepEqual(await home(alice), [status.id])
  await alice.follow(bob)
  assert.deepEqual(await home(alice), [status.id])
})

test('a user may choose to see every boost', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await sql(server, `update users set preferences = '{"aggregate_reblogs": false}' where account_id = $1`, [alice.id])
  await alice.follow(bob)
  await alice.follow(carol)
  const status = await bob.postStatus('boost me')
  const boosted = await boost(carol, status.id)
  assert.deepEqual(await home(alice), [boosted, status.id])
})

test('boosts of an account can be hidden', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob, { reblogs: false })
  await home(alice)
  const status = await carol.postStatus('boost me')
  await boost(bob, status.id)
  const own = await bob.postStatus('own')
  assert.deepEqual(await home(alice), [own.id])
})

test('a block or mute removes posts by the account, its boosts and mentions of it; an unmute restores them', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(carol)
  const innocent = await bob.postStatus('innocent')
  const theirs = await carol.postStatus('by carol')
  const mention = await bob.postStatus(`hello @${carol.username}`)
  const expected = [mention.id, theirs.id, innocent.id]
  assert.deepEqual(await home(alice), expected)
  await ok(alice.post(`/api/v1/accounts/${carol.id}/mute`))
  assert.deepEqual(await home(alice), [innocent.id])
  await carol.postStatus('not heard')
  assert.deepEqual(await home(alice), [innocent.id])
  await ok(alice.post(`/api/v1/accounts/${carol.id}/unmute`))
  assert.equal((await home(alice)).length, 4)
  await ok(alice.post(`/api/v1/accounts/${carol.id}/block`))
  assert.deepEqual(await home(alice), [innocent.id])
})

test('follows limited to languages', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob, { languages: ['de'] })
  await home(alice)
  await bob.postStatus('English', { language: 'en' })
  const german = await bob.postStatus('Deutsch', { language: 'de' })
  assert.deepEqual(await home(alice), [german.id])
})

test('an exclusive list keeps its members out of home', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const status = await bob.postStatus('hello')
  assert.deepEqual(await home(alice), [status.id])
  const list = await ok(alice.post('/api/v1/lists', { title: 'apart', exclusive: true }))
  await ok(alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] }))
  assert.deepEqual(await home(alice), [])
  const more = await bob.postStatus('more')
  assert.deepEqual(await home(alice), [])
  const feed = await alice.get(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual(
    (feed.json as { id: string }[]).map(one => one.id),
    [more.id, status.id],
  )
  await ok(alice.put(`/api/v1/lists/${list.id}`, { exclusive: false }))
  assert.deepEqual(await home(alice), [more.id, status.id])
})

test('public posts with a followed tag', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const tag = `tea${alice.id}`
  const early = await bob.postStatus(`before #${tag}`)
  await sql(server, `insert into tag_follows (account_id, tag_id) select $1, id from tags where name = $2`, [
    alice.id,
    tag,
  ])
  assert.deepEqual(await home(alice), [early.id])
  const late = await bob.postStatus(`after #${tag}`)
  await bob.postStatus(`unlisted #${tag}`, { visibility: 'unlisted' })
  assert.deepEqual(await home(alice), [late.id, early.id])
  await ok(bob.put(`/api/v1/statuses/${late.id}`, { status: 'no longer about it' }))
  assert.deepEqual(await home(alice), [early.id])
})

test('an edit takes a post out and in', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await ok(alice.post(`/api/v1/accounts/${carol.id}/mute`))
  await home(alice)
  const status = await bob.postStatus('hello')
  assert.deepEqual(await home(alice), [status.id])
  await ok(bob.put(`/api/v1/statuses/${status.id}`, { status: `hello @${carol.username}` }))
  assert.deepEqual(await home(alice), [])
})

test('pages to the end and back, while posts are added', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const ids: string[] = []
  for (let count = 0; count < 9; count++) ids.unshift((await bob.postStatus(`post ${count}`)).id)
  const seen: string[] = []
  let response = await alice.get('/api/v1/timelines/home', { limit: '4', local: 'true' })
  const first = response
  for (let turn = 0; turn < 5; turn++) {
    seen.push(...(response.json as { id: string }[]).map(status => status.id))
    const next = linkOf(response, 'next')
    if (next === undefined) break
    assert.match(next, /limit=4&local=true&max_id=/)
    await bob.postStatus('meanwhile')
    response = await alice.get(next)
  }
  assert.deepEqual(seen, ids)
  const back: string[] = []
  let prev = linkOf(first, 'prev')
  for (let turn = 0; turn < 3 && prev !== undefined; turn++) {
    const newer = await alice.get(prev)
    back.unshift(...(newer.json as { id: string }[]).map(status => status.id))
    prev = linkOf(newer, 'prev')
  }
  assert.deepEqual(back, (await home(alice)).slice(0, back.length))
  assert.equal(back.length, 3)
  assert.equal((await alice.get('/api/v1/timelines/home', { limit: '0' })).text, '[]')
})

test('posts that arrive while the feed is being read are included', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  for (let turn = 0; turn < 5; turn++) {
    await alice.follow(bob)
    const answers = await Promise.all([
      home(alice),
      bob.postStatus('one'),
      home(alice),
      alice.postStatus('two'),
      home(alice),
    ])
    const [, first, , second] = answers
    const shown = await home(alice)
    assert.ok(shown.includes(first.id) && shown.includes(second.id))
    await ok(alice.post(`/api/v1/accounts/${bob.id}/unfollow`))
  }
})

test('access to the home feed', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const refused = async (client: Client): Promise<number> => (await client.get('/api/v1/timelines/home')).status
  assert.equal(await refused(anonymous), 401)
  assert.equal(await refused(alice), 200)
})
