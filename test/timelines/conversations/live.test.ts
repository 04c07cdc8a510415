import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../../support/people.ts'
import type { TestSocket } from '../../support/socket.ts'

interface Conversation {
  id: string
  unread: boolean
  accounts: { id: string }[]
  last_status: { id: string } | null
}

const listed = async (person: Person): Promise<Conversation[]> =>
  (await person.get('/api/v1/conversations')).json as Conversation[]

const others = ({ accounts }: Conversation): string[] => accounts.map(({ id }) => id).toSorted()

const received = async (stream: TestSocket): Promise<Conversation> =>
  (await stream.next('conversation')).payload as Conversation

const direct = (who: Person, text: string, more: object = {}): Promise<{ id: string }> =>
  who.postStatus(text, { visibility: 'direct', ...more })

test('a conversation entry is of one thread and one set of participants: a change of these starts another', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const one of [bob, carol]) await alice.follow(one)
  const first = await direct(bob, `@${alice.username} hello`)
  const joined = await direct(bob, `@${alice.username} @${carol.username} all`, { in_reply_to_id: first.id })
  const again = await direct(alice, `@${bob.username} us two`, { in_reply_to_id: joined.id })
  const apart = await direct(bob, `@${alice.username} another thread`)
  assert.deepEqual(
    (await listed(alice)).map(one => [one.last_status?.id, others(one), one.unread]),
    [
      [apart.id, [bob.id], true],
      [again.id, [bob.id], false],
      [joined.id, [bob.id, carol.id].toSorted(), true],
    ],
  )
  const own = await listed(carol)
  assert.deepEqual([own.length, own[0] && others(own[0])], [0, undefined], 'carol follows nobody: a request is waiting')
})

test('each change of an entry is sent to its owner’s direct streams: read, unread, received and own statuses', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const [stream, other] = [await alice.stream('direct'), await bob.stream('direct')]
  const first = await direct(bob, `@${alice.username} hello`)
  const entry = await received(stream)
  assert.deepEqual([entry.unread, entry.last_status?.id, others(entry)], [true, first.id, [bob.id]])
  const path = `/api/v1/conversations/${entry.id}`
  for (const [what, unread] of [
    ['read', false],
    ['unread', true],
    ['read', false],
  ] as const) {
    const response = await alice.post(`${path}/${what}`)
    assert.deepEqual(response.json, { ...entry, unread }, what)
    assert.deepEqual(await received(stream), response.json, what)
  }
  const second = await direct(bob, `@${alice.username} more`, { in_reply_to_id: first.id })
  const more = await received(stream)
  assert.deepEqual([more.id, more.unread, more.last_status?.id], [entry.id, true, second.id])
  const response = await direct(alice, `@${bob.username} yes`, { in_reply_to_id: second.id })
  const written = await received(stream)
  assert.deepEqual([written.id, written.unread, written.last_status?.id], [entry.id, false, response.id])
  assert.deepEqual((await alice.delete(path)).json, {})
  const third = await direct(bob, `@${alice.username} back`, { in_reply_to_id: response.id })
  const back = await received(stream)
  assert.deepEqual([back.unread, back.last_status?.id], [true, third.id])
  // The only unread change on bob's stream is his own: alice's change of her entry is not sent to
  // him.
  const own = await other.upTo('conversation', ({ payload }) => (payload as Conversation).last_status?.id === third.id)
  assert.deepEqual(
    own.map(({ payload }) => (payload as Conversation).last_status?.id),
    [first.id, second.id, response.id, third.id],
  )
})

test('refused requests, and the removal of entries', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const one of [bob, carol]) await alice.follow(one)
  await direct(bob, `@${alice.username} hello`)
  const kept = await direct(carol, `@${alice.username} hello`)
  const [hers, his] = await listed(alice)
  for (const id of ['1', 'x', '99999999999999999999', his?.id ?? ''])
    for (const call of [
      bob.post(`/api/v1/conversations/${id}/read`),
      bob.post(`/api/v1/conversations/${id}/unread`),
      bob.delete(`/api/v1/conversations/${id}`),
    ]) {
      const response = await call
      assert.deepEqual([response.status, response.json], [404, { error: 'Record not found' }], id)
    }
  assert.deepEqual((await listed(alice)).length, 2)
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(
    (await listed(alice)).map(one => [one.id, one.last_status?.id]),
    [[hers?.id, kept.id]],
  )
  await carol.delete(`/api/v1/statuses/${kept.id}`)
  assert.deepEqual(await listed(alice), [], 'nothing is left to show')
})
