import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse, type Client } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'

const idsOf = (answer: ClientResponse): string[] => {
  assert.equal(answer.status, 200, answer.text)
  return (answer.json as { id: string }[]).map(one => one.id)
}

const list = async (client: Client, author: Person, query: Record<string, string> = {}): Promise<string[]> =>
  idsOf(await client.get(`/api/v1/accounts/${author.id}/statuses`, query))

test('who sees which statuses of a profile', async t => {
  const { alice, bob, carol, anonymous } = await people(t, 'alice', 'bob', 'carol')
  await bob.follow(alice)
  const open = await alice.say('open')
  const unlisted = await alice.say('unlisted', { visibility: 'unlisted' })
  const fans = await alice.say('fans', { visibility: 'private' })
  const note = await alice.say(`@${carol.username} psst`, { visibility: 'direct' })
  assert.deepEqual(await list(anonymous, alice), [unlisted.id, open.id])
  assert.deepEqual(await list(bob, alice), [fans.id, unlisted.id, open.id])
  assert.deepEqual(await list(carol, alice), [note.id, unlisted.id, open.id])
  assert.deepEqual(await list(carol, alice, { exclude_direct: 'true' }), [unlisted.id, open.id])
  assert.deepEqual(await list(alice, alice), [note.id, fans.id, unlisted.id, open.id])
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  assert.deepEqual(await list(carol, alice), [])
})

test('the filters of a profile', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const first = await alice.say('first #Mill')
  const theirs = await bob.say('theirs')
  const answer = await alice.say(`@${bob.username} answer`, { in_reply_to_id: theirs.id })
  const thread = await alice.say('thread', { in_reply_to_id: first.id })
  const boosted = await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)
  assert.equal(boosted.status, 200, boosted.text)
  const boost = (boosted.json as { id: string }).id
  await sql(server, `update statuses set media_attachment_ids = '{7}' where id = $1`, [thread.id])
  assert.deepEqual(await list(anonymous, alice), [boost, thread.id, answer.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_replies: 'true' }), [boost, thread.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_reblogs: 'true' }), [thread.id, answer.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_replies: '1', exclude_reblogs: '1' }), [thread.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { only_media: 'true' }), [thread.id])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'MILL' }), [first.id])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'mill', only_media: 'true' }), [])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'nosuchtag' }), [])
})

test('boosts of accounts that the caller avoids are left out', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const theirs = await bob.say('theirs')
  await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)
  assert.equal((await list(carol, alice)).length, 1)
  await carol.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await list(carol, alice), [])
  await carol.post(`/api/v1/accounts/${bob.id}/unmute`)
  await bob.post(`/api/v1/accounts/${carol.id}/block`)
  assert.deepEqual(await list(carol, alice), [])
})

test('pinned statuses are shown to those who may see them', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  await alice.say('not pinned')
  const open = await alice.say('open')
  const fans = await alice.say('fans', { visibility: 'private' })
  for (const status of [open, fans]) {
    const pinned = await alice.post(`/api/v1/statuses/${status.id}/pin`)
    assert.equal(pinned.status, 200, pinned.text)
  }
  assert.deepEqual(await list(anonymous, alice, { pinned: 'true' }), [open.id])
  assert.deepEqual(await list(bob, alice, { pinned: 'true' }), [fans.id, open.id])
})

test('a profile is paged to the end and back', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const said: string[] = []
  for (let n = 0; n < 5; n += 1) said.unshift((await alice.say(`post ${n}`)).id)
  const path = `/api/v1/accounts/${alice.id}/statuses`
  const forward: string[] = []
  let last: ClientResponse | undefined
  for (let next: string | undefined = `${path}?limit=2&exclude_replies=true`; next !== undefined;) {
    const answer: ClientResponse = await anonymous.get(next)
    forward.push(...idsOf(answer))
    last = answer
    next = linkOf(answer, 'next')
    if (next !== undefined) assert.match(next, /exclude_replies=true&limit=2&max_id=\d+$/)
  }
  assert.deepEqual(forward, said)
  const back: string[] = []
  for (let prev = last && linkOf(last, 'prev'); prev !== undefined;) {
    const answer: ClientResponse = await anonymous.get(prev)
    back.unshift(...idsOf(answer))
    prev = linkOf(answer, 'prev')
  }
  assert.deepEqual(back, said.slice(0, 4))
  assert.deepEqual(await list(anonymous, alice, { since_id: said[4] ?? '', limit: '2' }), said.slice(0, 2))
  assert.deepEqual(await list(anonymous, alice, { min_id: said[4] ?? '', limit: '2' }), said.slice(2, 4))
  assert.deepEqual(
    await list(anonymous, alice, { min_id: said[4] ?? '', max_id: said[2] ?? '', limit: '9' }),
    said.slice(3, 4),
  )
  const none = await anonymous.get(path, { limit: '0' })
  assert.deepEqual([none.json, none.headers.get('link')], [[], null])
})

test('featured tags count what was said in public', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  await alice.say('one #Wheel')
  await alice.say('two #wheel', { visibility: 'private' })
  await sql(
    server,
    `insert into featured_tags (account_id, tag_id, name) select $1, t.id, 'Wheel' from tags t where t.name = 'wheel'`,
    [alice.id],
  )
  const [tag] = (await anonymous.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json as Record<string, unknown>[]
  assert.deepEqual(
    { ...tag, id: '' },
    {
      id: '',
      name: 'Wheel',
      url: `${server.config.publicUrl}/@${alice.username}/tagged/wheel`,
      statuses_count: '1',
      last_status_at: new Date().toISOString().slice(0, 10),
    },
  )
})

test('counters of a profile are fresh after each status', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const other = await person(server, 'other')
  const count = async (): Promise<unknown> =>
    ((await anonymous.get(`/api/v1/accounts/${alice.id}`)).json as Record<string, unknown>)['statuses_count']
  await count()
  const said = await alice.say('one')
  assert.equal(await count(), 1)
  await alice.say(`@${other.username} psst`, { visibility: 'direct' })
  assert.equal(await count(), 1)
  await alice.delete(`/api/v1/statuses/${said.id}`)
  assert.equal(await count(), 0)
})
