import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../../support/people.ts'
import { Client } from '../../support/client.ts'

const NOT_FOUND = [404, { error: 'Record not found' }]
const brief = ({ status, json }: ClientResponse): unknown[] => [status, json]
const refusal = (text: string): unknown[] => [422, { error: `Validation failed: ${text}` }]

async function newList(person: Person, more: Record<string, unknown> = {}): Promise<string> {
  const response = await person.post('/api/v1/lists', { title: 'friends', ...more })
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }).id
}

const idsOf = (response: ClientResponse): string[] => (response.json as { id: string }[]).map(one => one.id)

test('a list is created, read, changed and deleted', async t => {
  const { alice } = await people(t, 'alice')
  const id = await newList(alice)
  const made = { id, title: 'friends', replies_policy: 'list', exclusive: false }
  assert.deepEqual(brief(await alice.get(`/api/v1/lists/${id}`)), [200, made])
  const second = await newList(alice, { title: 'second', replies_policy: 'none', exclusive: true })
  assert.deepEqual(brief(await alice.get('/api/v1/lists')), [
    200,
    [made, { id: second, title: 'second', replies_policy: 'none', exclusive: true }],
  ])
  assert.equal((await alice.get('/api/v1/lists', { limit: '1' })).headers.get('link'), null)
  const renamed = { id, title: 'relatives', replies_policy: 'none', exclusive: true }
  assert.deepEqual(brief(await alice.patch(`/api/v1/lists/${id}`, renamed)), [200, renamed])
  const changed = { id, title: 'family', replies_policy: 'followed', exclusive: true }
  assert.deepEqual(brief(await alice.put(`/api/v1/lists/${id}`, changed)), [200, changed])
  assert.deepEqual(brief(await alice.patch(`/api/v1/lists/${id}`, { exclusive: false })), [
    200,
    { ...changed, exclusive: false },
  ])
  assert.deepEqual(brief(await alice.delete(`/api/v1/lists/${id}`)), [200, {}])
  assert.deepEqual(brief(await alice.get(`/api/v1/lists/${id}`)), NOT_FOUND)
  assert.deepEqual(brief(await alice.delete(`/api/v1/lists/${id}`)), NOT_FOUND)
})

test('refused requests', async t => {
  const { alice } = await people(t, 'alice')
  const id = await newList(alice)
  const refused: [Record<string, unknown>, string][] = [
    [{ title: '' }, "Title can't be blank"],
    [{ title: '  ' }, "Title can't be blank"],
    [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ title: 'x', replies_policy: 'some' }, 'Replies policy is not included in the list'],
  ]
  for (const [body, text] of refused) {
    assert.deepEqual(brief(await alice.post('/api/v1/lists', body)), refusal(text))
    assert.deepEqual(brief(await alice.put(`/api/v1/lists/${id}`, body)), refusal(text))
    assert.deepEqual(brief(await alice.patch(`/api/v1/lists/${id}`, body)), refusal(text))
  }
  assert.deepEqual(brief(await alice.post('/api/v1/lists', {})), refusal("Title can't be blank"))
  for (const [policy, fault] of [
    ['LIST', 'is not included in the list'],
    ['list ', 'is not included in the list'],
    [0, 'is not included in the list'],
    [['list'], 'is invalid'],
    [{ a: 'list' }, 'is invalid'],
  ] as const) {
    const body = { title: 'x', replies_policy: policy }
    const expected = refusal(`Replies policy ${fault}`)
    assert.deepEqual(brief(await alice.post('/api/v1/lists', body)), expected, JSON.stringify(policy))
    assert.deepEqual(brief(await alice.patch(`/api/v1/lists/${id}`, body)), expected, JSON.stringify(policy))
  }
  const form = new URLSearchParams({ title: 'x', replies_policy: 'nobody' })
  assert.deepEqual(
    brief(await alice.post('/api/v1/lists', form)),
    refusal('Replies policy is not included in the list'),
  )
  assert.equal((await alice.post('/api/v1/lists', { title: 'x'.repeat(256) })).status, 200)
})

test('50 lists at most', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(server, `insert into lists (account_id, title) select $1, 'x' from generate_series(1, 49)`, [alice.id])
  await newList(alice)
  const response = await alice.post('/api/v1/lists', { title: 'one more' })
  assert.deepEqual(brief(response), refusal('You have reached the maximum number of lists'))
})

test('lists of others do not exist', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const id = await newList(alice)
  const body = { title: 'mine', account_ids: [bob.id] }
  for (const path of [`/api/v1/lists/${id}`, '/api/v1/lists/999999', '/api/v1/lists/x']) {
    assert.deepEqual(brief(await bob.get(path)), NOT_FOUND)
    assert.deepEqual(brief(await bob.put(path, body)), NOT_FOUND)
    assert.deepEqual(brief(await bob.patch(path, body)), NOT_FOUND)
    assert.deepEqual(brief(await bob.delete(path)), NOT_FOUND)
    assert.deepEqual(brief(await bob.get(`${path}/accounts`)), NOT_FOUND)
    assert.deepEqual(brief(await bob.post(`${path}/accounts`, body)), NOT_FOUND)
    assert.deepEqual(brief(await bob.delete(`${path}/accounts`, body)), NOT_FOUND)
  }
  assert.deepEqual(brief(await bob.get(`/api/v1/timelines/list/${id}`)), NOT_FOUND)
})

test('members are added and removed, all of them or none', async t => {
  const { alice, bob, carol, dora, server } = await people(t, 'alice', 'bob', 'carol', 'dora')
  const locked = await person(server, 'locked', { account: { locked: true } })
  await alice.follow(bob)
  await alice.follow(carol)
  await alice.follow(locked)
  const path = `/api/v1/lists/${await newList(alice)}/accounts`
  assert.deepEqual(
    brief(await alice.post(path, { account_ids: [bob.id, dora.id] })),
    refusal('Account must be a followed account'),
  )
  assert.deepEqual(brief(await alice.post(path, { account_ids: [bob.id, '1'] })), NOT_FOUND)
  assert.deepEqual(brief(await alice.post(path, { account_ids: [bob.id, 'x'] })), NOT_FOUND)
  assert.deepEqual(idsOf(await alice.get(path)), [])
  const all = [bob.id, carol.id, locked.id, alice.id]
  assert.deepEqual(brief(await alice.post(path, { account_ids: all })), [200, {}])
  assert.deepEqual(idsOf(await alice.get(path)), all.toSorted().toReversed())
  assert.deepEqual(brief(await alice.post(path, { account_ids: [bob.id] })), refusal('Account is already on the list'))
  assert.deepEqual(brief(await alice.post(path, {})), [200, {}])
  assert.deepEqual(brief(await alice.delete(`${path}?account_ids[]=${bob.id}&account_ids[]=${dora.id}`)), [200, {}])
  assert.deepEqual(brief(await alice.delete(path, { account_ids: [carol.id] })), [200, {}])
  assert.deepEqual(idsOf(await alice.get(path)), [locked.id, alice.id].toSorted().toReversed())
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [locked.id])
  assert.deepEqual(idsOf(await alice.get(path)), [alice.id])
})

test('members are paged by account id', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  const members = [bob, carol, dora]
  for (const one of members) await alice.follow(one)
  const ids = members
    .map(one => one.id)
    .toSorted()
    .toReversed()
  const path = `/api/v1/lists/${await newList(alice)}/accounts`
  await alice.post(path, { account_ids: ids })
  const first = await alice.get(path, { limit: '2' })
  assert.deepEqual(idsOf(first), ids.slice(0, 2))
  assert.equal(linkOf(first, 'next'), `${path}?limit=2&max_id=${ids[1]}`)
  assert.equal(linkOf(first, 'prev'), `${path}?limit=2&since_id=${ids[0]}`)
  assert.deepEqual(idsOf(await alice.get(linkOf(first, 'next') ?? '')), ids.slice(2))
  assert.deepEqual(idsOf(await alice.get(path, { since_id: ids[1] ?? '' })), ids.slice(0, 1))
  assert.deepEqual(idsOf(await alice.get(path, { limit: '1' })), ids.slice(0, 1))
  assert.deepEqual(idsOf(await alice.get(path, { min_id: ids[1] ?? '' })), ids, 'min_id is not honoured')
  const all = await alice.get(path, { limit: '0' })
  assert.deepEqual(idsOf(all), ids)
  assert.equal(all.headers.get('link'), null)
})

test('the posts in the feed of a list', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  for (const one of [bob, carol, dora]) await alice.follow(one)
  const list = await newList(alice)
  const feed = async (): Promise<string[]> => idsOf(await alice.get(`/api/v1/timelines/list/${list}`))
  assert.deepEqual(await feed(), [])
  const early = await bob.postStatus('before')
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id, carol.id] })
  assert.deepEqual(await feed(), [early.id])
  const root = await carol.postStatus('root', { visibility: 'private' })
  const response = await bob.postStatus('to a member', { in_reply_to_id: (await carol.postStatus('public')).id })
  const stranger = await dora.postStatus('no member')
  const outside = await bob.postStatus('to no member', { in_reply_to_id: stranger.id })
  const own = await alice.postStatus('mine')
  const back = await bob.postStatus('to the owner', { in_reply_to_id: own.id })
  await bob.postStatus(`@${alice.username} direct`, { visibility: 'direct' })
  const boost = (await bob.post(`/api/v1/statuses/${stranger.id}/reblog`)).json as { id: string }
  const [, , , between] = await feed()
  assert.deepEqual(await feed(), [boost.id, back.id, response.id, between, root.id, early.id])
  await alice.put(`/api/v1/lists/${list}`, { replies_policy: 'followed' })
  assert.deepEqual((await feed()).slice(0, 4), [boost.id, back.id, outside.id, response.id])
  await alice.put(`/api/v1/lists/${list}`, { replies_policy: 'none' })
  assert.deepEqual((await feed()).slice(0, 3), [boost.id, back.id, between])
  await alice.delete(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  assert.deepEqual(await feed(), [between, root.id])
  await alice.post(`/api/v1/accounts/${carol.id}/unfollow`)
  assert.deepEqual(await feed(), [])
})

test('posts of a pending member are excluded', async t => {
  const { alice, server } = await people(t, 'alice')
  const locked = await person(server, 'locked', { account: { locked: true } })
  await alice.follow(locked)
  const list = await newList(alice)
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [locked.id] })
  const status = await locked.postStatus('hello')
  assert.deepEqual(idsOf(await alice.get(`/api/v1/timelines/list/${list}`)), [])
  await locked.post(`/api/v1/follow_requests/${alice.id}/authorize`)
  assert.deepEqual(idsOf(await alice.get(`/api/v1/timelines/list/${list}`)), [status.id])
})

test('scopes', async t => {
  const { alice, server } = await people(t, 'alice')
  const reader = new Client(server, await makeToken(server, alice.userId, ['read:lists']))
  const writer = new Client(server, await makeToken(server, alice.userId, ['write:lists']))
  const outside = [403, { error: 'This action is outside the authorized scopes' }]
  const list = await newList(alice)
  assert.deepEqual(brief(await reader.post('/api/v1/lists', { title: 'x' })), outside)
  assert.deepEqual(brief(await writer.get('/api/v1/lists')), outside)
  assert.deepEqual(brief(await writer.get(`/api/v1/timelines/list/${list}`)), outside)
  assert.equal((await reader.get(`/api/v1/timelines/list/${list}`)).status, 200)
  const app = new Client(server, await makeToken(server, null))
  assert.deepEqual(brief(await app.get('/api/v1/lists')), [
    422,
    { error: 'This method requires an authenticated user' },
  ])
})
