import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { StreamMessage } from '../../support/socket.ts'

async function filter(who: Person, keyword: string): Promise<void> {
  const keywords_attributes = [{ keyword, whole_word: true }]
  const asked = { title: keyword, context: ['home'], filter_action: 'warn', keywords_attributes }
  const { status, text } = await who.post('/api/v2/filters', asked)
  assert.equal(status, 200, text)
}

type Streams = readonly { reader: Person; next: (event: string) => Promise<StreamMessage> }[]

async function openStreams(readers: readonly Person[]): Promise<Streams> {
  const opened = await Promise.all(readers.map(async reader => ({ reader, stream: await reader.stream('user') })))
  return opened.map(({ reader, stream }) => ({ reader, next: event => stream.next(event) }))
}

/** Each stream's status equals the status that its reader gets over REST. */
async function assertSameMessage(streams: Streams, event: string, id: string, about: string): Promise<void> {
  for (const { reader, next } of streams) {
    const { payload } = await next(event)
    const shown = await reader.get(`/api/v1/statuses/${id}`)
    assert.equal(shown.status, 200)
    assert.deepEqual(payload, shown.json, `${reader.username}: ${about}`)
  }
}

async function letIn(bob: Person, follower: Person): Promise<void> {
  await follower.follow(bob)
  assert.equal((await bob.post(`/api/v1/follow_requests/${follower.id}/authorize`)).status, 200)
}

test('each follower receives a status from their own point of view', async t => {
  const { alice, carol, dora, erin, server } = await people(t, 'alice', 'carol', 'dora', 'erin')
  const bob = await person(server, 'bob', { account: { locked: true, discoverable: true } })
  t.after(() => bob.close())
  // Erin only follows the tag: she may neither quote followers-only posts nor feature the author.
  for (const follower of [alice, carol, dora]) await letIn(bob, follower)
  const tag = await erin.post('/api/v1/tags/tea/follow')
  assert.equal(tag.status, 200, tag.text)
  await filter(carol, 'coffee')
  await filter(dora, 'cocoa')
  const quoted = await alice.postStatus('worth quoting')
  const streams = await openStreams([alice, bob, carol, dora, erin])

  const poll = { options: ['tea', 'coffee'], expires_in: 3600 }
  const posts: Record<string, unknown>[] = [
    { status: 'no #tea without coffee' },
    { status: '#tea', quote_approval_policy: 'followers' },
    { status: '#tea', spoiler_text: 'cocoa' },
    { status: 'which #tea?', poll },
    { status: `#tea for @${alice.username}` },
    { status: 'well said: #tea', quoted_status_id: quoted.id },
    { status: '#tea or coffee', visibility: 'private' },
  ]
  for (const post of posts) {
    const { id } = await bob.postStatus(String(post['status']), { visibility: 'public', ...post })
    const readers = streams.filter(({ reader }) => reader !== erin || post['visibility'] !== 'private')
    await assertSameMessage(readers, 'update', id, JSON.stringify(post))
    await bob.delete(`/api/v1/statuses/${id}`)
    for (const { next } of readers) assert.equal((await next('delete')).payload, id)
  }
})

test('boosts, replies and edits reflect each follower’s actions and follows', async t => {
  const { alice, carol, dora, erin, server } = await people(t, 'alice', 'carol', 'dora', 'erin')
  const [author, bob] = await Promise.all([
    person(server, 'author', { account: { locked: true, discoverable: true } }),
    person(server, 'bob'),
  ])
  t.after(() => Promise.all([author.close(), bob.close()]))
  const followers = [alice, carol, dora, erin]
  // She also follows the author, and receives boosts of posts that she has already received.
  await sql(server, `update users set preferences = '{"aggregate_reblogs": false}' where account_id = $1`, [alice.id])
  for (const follower of followers) await follower.follow(bob)
  await letIn(author, alice)
  await letIn(author, bob)
  await filter(dora, 'coffee')
  const original = await author.postStatus('no tea without coffee', {
    visibility: 'public',
    quote_approval_policy: 'followers',
    poll: { options: ['tea', 'coffee'], expires_in: 3600 },
  })
  await carol.post(`/api/v1/statuses/${original.id}/favourite`)
  const streams = await openStreams(followers)
  const boost = async (): Promise<string> => {
    const { json, status, text } = await bob.post(`/api/v1/statuses/${original.id}/reblog`)
    assert.equal(status, 200, text)
    return (json as { id: string }).id
  }
  const unboost = async (boosted: string): Promise<void> => {
    await bob.post(`/api/v1/statuses/${original.id}/unreblog`)
    for (const { next } of streams) assert.equal((await next('delete')).payload, boosted)
  }

  // From the second time on the interactions are cached in memory.
  for (const time of ['first', 'second']) {
    const boosted = await boost()
    await assertSameMessage(streams, 'update', boosted, `${time} boost`)
    await unboost(boosted)
  }
  await alice.post(`/api/v1/statuses/${original.id}/bookmark`)
  const [poll] = await sql(server, 'select id::text as id from polls where status_id = $1', [original.id])
  const vote = await erin.post(`/api/v1/polls/${String(poll?.['id'])}/votes`, { choices: ['1'] })
  assert.equal(vote.status, 200, vote.text)
  const boosted = await boost()
  await assertSameMessage(streams, 'update', boosted, 'boost after votes and bookmarks')

  const said = await bob.postStatus('one thing')
  await assertSameMessage(streams, 'update', said.id, 'a status')
  await erin.post(`/api/v1/statuses/${said.id}/mute`)
  const response = await bob.postStatus('and another', { in_reply_to_id: said.id })
  await assertSameMessage(streams, 'update', response.id, 'an answer')
  await carol.post(`/api/v1/statuses/${response.id}/favourite`)
  await bob.put(`/api/v1/statuses/${response.id}`, { status: 'and a coffee' })
  await assertSameMessage(streams, 'status.update', response.id, 'an edit')
})
