import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse, type Client } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'

const idsOf = (response: ClientResponse): string[] => {
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(one => one.id)
}

const list = async (client: Client, author: Person, query: Record<string, string> = {}): Promise<string[]> =>
  idsOf(await client.get(`/api/v1/accounts/${author.id}/statuses`, query))

test('the statuses of a profile depend on what the viewer may see', async t => {
  const { alice, bob, carol, anonymous } = await people(t, 'alice', 'bob', 'carol')
  await bob.follow(alice)
  const open = await alice.postStatus('open')
  const unlisted = await alice.postStatus('unlisted', { visibility: 'unlisted' })
  const fans = await alice.postStatus('fans', { visibility: 'private' })
  const note = await alice.postStatus(`@${carol.username} psst`, { visibility: 'direct' })
  assert.deepEqual(await list(anonymous, alice), [unlisted.id, open.id])
  assert.deepEqual(await list(bob, alice), [fans.id, unlisted.id, open.id])
  assert.deepEqual(await list(carol, alice), [note.id, unlisted.id, open.id])
  assert.deepEqual(await list(carol, alice, { exclude_direct: 'true' }), [unlisted.id, open.id])
  assert.deepEqual(await list(alice, alice), [note.id, fans.id, unlisted.id, open.id])
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  assert.deepEqual(await list(carol, alice), [])
})

test('the statuses of a profile can be filtered', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const first = await alice.postStatus('first #Mill')
  const theirs = await bob.postStatus('theirs')
  const response = await alice.postStatus(`@${bob.username} answer`, { in_reply_to_id: theirs.id })
  const thread = await alice.postStatus('thread', { in_reply_to_id: first.id })
  const boosted = await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)
  assert.equal(boosted.status, 200, boosted.text)
  const boost = (boosted.json as { id: string }).id
  await sql(server, `update statuses set media_attachment_ids = '{7}' where id = $1`, [thread.id])
  assert.deepEqual(await list(anonymous, alice), [boost, thread.id, response.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_replies: 'true' }), [boost, thread.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_reblogs: 'true' }), [thread.id, response.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { exclude_replies: '1', exclude_reblogs: '1' }), [thread.id, first.id])
  assert.deepEqual(await list(anonymous, alice, { only_media: 'true' }), [thread.id])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'MILL' }), [first.id])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'mill', only_media: 'true' }), [])
  assert.deepEqual(await list(anonymous, alice, { tagged: 'nosuchtag' }), [])
})

test('boosts of accounts that the viewer muted, or that block the viewer, are left out', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const theirs = await bob.postStatus('theirs')
  await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)
  assert.equal((await list(carol, alice)).length, 1)
  await carol.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await list(carol, alice), [])
  await carol.post(`/api/v1/accounts/${bob.id}/unmute`)
  await bob.post(`/api/v1/accounts/${carol.id}/block`)
  assert.deepEqual(await list(carol, alice), [])
})

test('pinned statuses are shown only to viewers who may see them', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  await alice.postStatus('not pinned')
  const open = await alice.postStatus('open')
  const fans = await alice.postStatus('fans', { visibility: 'private' })
  for (const status of [open, fans]) {
    const pinned = await alice.post(`/api/v1/statuses/${status.id}/pin`)
    assert.equal(pinned.status, 200, pinned.text)
  }
  assert.deepEqual(await list(anonymous, alice, { pinned: 'true' }), [open.id])
  assert.deepEqual(await list(bob, alice, { pinned: 'true' }), [fans.id, open.id])
})

test('the statuses of a profile are paged to the end and back', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const posted: string[] = []
  for (let n = 0; n < 5; n += 1) posted.unshift((await alice.postStatus(`post ${n}`)).id)
  const path = `/api/v1/accounts/${alice.id}/statuses`
  const forward: string[] = []
  let last: ClientResponse | undefined
  for (let next: string | undefined = `${path}?limit=2&exclude_replies=true`; next !== undefined;) {
    const response: ClientResponse = await anonymous.get(next)
    forward.push(...idsOf(response))
    last = response
    next = linkOf(response, 'next')
    if (next !== undefined) assert.match(next, /exclude_replies=true&limit=2&max_id=\d+$/)
  }
  assert.deepEqual(forward, posted)
  const back: string[] = []
  for (let prev = last && linkOf(last, 'prev'); prev !== undefined;) {
    const response: ClientResponse = await anonymous.get(prev)
    back.unshift(...idsOf(response))
    prev = linkOf(response, 'prev')
  }
  assert.deepEqual(back, posted.slice(0, 4))
  assert.deepEqual(await list(anonymous, alice, { since_id: posted[4] ?? '', limit: '2' }), posted.slice(0, 2))
  assert.deepEqual(await list(anonymous, alice, { min_id: posted[4] ?? '', limit: '2' }), posted.slice(2, 4))
  assert.deepEqual(
    await list(anonymous, alice, { min_id: posted[4] ?? '', max_id: posted[2] ?? '', limit: '9' }),
    posted.slice(3, 4),
  )
  const none = await anonymous.get(path, { limit: '0' })
  assert.deepEqual([none.json, none.headers.get('link')], [[], null])
})

test('featured tags count public statuses only', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  await alice.postStatus('one #Wheel')
  await alice.postStatus('two #wheel', { visibility: 'private' })
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

test('the status counter of a profile is correct after each change', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const other = await person(server, 'other')
  const count = async (): Promise<unknown> =>
    ((await anonymous.get(`/api/v1/accounts/${alice.id}`)).json as Record<string, unknown>)['statuses_count']
  await count()
  const posted = await alice.postStatus('one')
  assert.equal(await count(), 1)
  await alice.postStatus(`@${other.username} psst`, { visibility: 'direct' })
  assert.equal(await count(), 1)
  await alice.delete(`/api/v1/statuses/${posted.id}`)
  assert.equal(await count(), 0)
})
