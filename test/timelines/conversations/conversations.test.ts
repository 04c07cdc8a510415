import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf } from '../../support/client.ts'
import { people, type Person } from '../../support/people.ts'

interface Conversation {
  id: string
  unread: boolean
  accounts: { id: string }[]
  last_status: { id: string } | null
}

const listed = async (person: Person, query: Record<string, string> = {}): Promise<Conversation[]> =>
  (await person.get('/api/v1/conversations', query)).json as Conversation[]

test('a direct status enters the conversations of all participants, unread for the others', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const status = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const [hers] = await listed(alice)
  assert.deepEqual(Object.keys(hers ?? {}), ['id', 'unread', 'accounts', 'last_status'])
  assert.deepEqual(
    [hers?.unread, hers?.accounts.map(({ id }) => id), hers?.last_status?.id],
    [true, [bob.id], status.id],
  )
  const [his] = await listed(bob)
  assert.deepEqual([his?.unread, his?.accounts.map(({ id }) => id)], [false, [alice.id]])
  const alone = await bob.postStatus('nobody', { visibility: 'direct' })
  const [own] = await listed(bob)
  assert.deepEqual([own?.accounts.map(({ id }) => id), own?.last_status?.id], [[bob.id], alone.id])
})

test('a conversation is read, unread and removed by its owner, and returns with the next status', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const first = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const [one] = await listed(alice)
  const path = `/api/v1/conversations/${String(one?.id)}`
  assert.deepEqual((await alice.post(`${path}/read`)).json, { ...one, unread: false })
  assert.equal((await listed(alice))[0]?.unread, false)
  assert.deepEqual((await alice.post(`${path}/unread`)).json, one)
  for (const response of [await bob.post(`${path}/read`), await bob.delete(path)])
    assert.deepEqual([response.status, response.json], [404, { error: 'Record not found' }])
  assert.deepEqual((await alice.delete(path)).json, {})
  assert.equal((await alice.delete(path)).status, 404)
  assert.deepEqual(await listed(alice), [])
  assert.equal((await alice.get(`/api/v1/statuses/${first.id}`)).status, 200)
  const second = await bob.postStatus(`@${alice.username} again`, { visibility: 'direct', in_reply_to_id: first.id })
  assert.equal((await listed(alice))[0]?.last_status?.id, second.id)
})

test('conversations are paged by their last statuses', async t => {
  const { alice } = await people(t, 'alice')
  const ids: string[] = []
  for (const text of ['one', 'two', 'three']) ids.unshift((await alice.postStatus(text, { visibility: 'direct' })).id)
  const first = await alice.get('/api/v1/conversations', { limit: '2' })
  const lastIds = (response: { json: unknown }): unknown[] =>
    (response.json as Conversation[]).map(one => one.last_status?.id)
  assert.deepEqual(lastIds(first), ids.slice(0, 2))
  assert.equal(linkOf(first, 'next'), `/api/v1/conversations?limit=2&max_id=${String(ids[1])}`)
  assert.equal(linkOf(first, 'prev'), `/api/v1/conversations?limit=2&min_id=${String(ids[0])}`)
  const second = await alice.get(String(linkOf(first, 'next')))
  assert.deepEqual(lastIds(second), ids.slice(2))
  assert.equal(linkOf(second, 'next'), undefined)
  assert.deepEqual(
    (await listed(alice, { min_id: String(ids[2]), limit: '1' })).map(one => one.last_status?.id),
    [ids[1]],
  )
  assert.deepEqual(await listed(alice, { since_id: String(ids[0]) }), [])
  assert.equal((await listed(alice, { since_id: '1' })).length, 3)
})
