import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeToken, people, sql, type Person } from '../../support/people.ts'
import { openSocket, type StreamMessage } from '../../support/socket.ts'

const idIn = ({ payload }: StreamMessage): string =>
  typeof payload === 'object' && payload !== null && 'id' in payload ? String(payload.id) : String(payload)
const namesOf = (messages: readonly StreamMessage[]): string[] => messages.map(one => `${one.event} ${idIn(one)}`)

async function boost(who: Person, id: string): Promise<string> {
  const { json, status, text } = await who.post(`/api/v1/statuses/${id}/reblog`)
  assert.equal(status, 200, text)
  return (json as { id: string }).id
}

/** Posts a status that the stream receives, so that all earlier messages have arrived by then. */
async function mark(author: Person, visibility = 'public'): Promise<(message: StreamMessage) => boolean> {
  const { id } = await author.postStatus('that was all', { visibility })
  return message => idIn(message) === id
}

test('the user stream sends statuses that enter home, with the viewer’s interactions', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  const stream = await alice.stream('user')
  const first = await bob.postStatus('hello')
  const [update] = await stream.upTo('update')
  assert.deepEqual(update?.stream, ['user'])
  assert.deepEqual(update?.payload, (await alice.get(`/api/v1/statuses/${first.id}`)).json)
  await carol.postStatus('a stranger')
  const secret = await bob.postStatus('for followers', { visibility: 'private' })
  const stranger = await carol.postStatus('worth boosting')
  const boosted = await boost(bob, stranger.id)
  const messages = await stream.upTo('update', message => idIn(message) === boosted)
  assert.deepEqual(namesOf(messages), [`update ${secret.id}`, `update ${boosted}`])
  await alice.post(`/api/v1/statuses/${first.id}/favourite`)
  await bob.put(`/api/v1/statuses/${first.id}`, { status: 'hello again' })
  const edit = await stream.next('status.update')
  assert.equal((edit.payload as { favourited: boolean }).favourited, true)
  await bob.post(`/api/v1/statuses/${stranger.id}/unreblog`)
  assert.equal((await stream.next('delete')).payload, boosted)
  await bob.delete(`/api/v1/statuses/${first.id}`)
  assert.equal((await stream.next('delete')).payload, first.id)
})

test('own posts appear on the user stream, and deletes follow updates even when rendering is slow', async t => {
  const { alice } = await people(t, 'alice')
  const stream = await alice.stream('user')
  stream.send({ type: 'subscribe', stream: 'public' })
  stream.send({ type: 'unsubscribe', stream: 'nonsense' })
  await stream.nextError()
  const expected: string[] = []
  for (let count = 0; count < 10; count += 1) {
    const { id } = await alice.postStatus(`post ${count}`)
    expected.push(`update ${id}`)
    await alice.delete(`/api/v1/statuses/${id}`)
    expected.push(`delete ${id}`)
  }
  const fits = await mark(alice)
  const messages = await stream.upTo('update', message => message.stream[0] === 'public' && fits(message))
  const seen = (name: string): string[] =>
    namesOf(messages.filter(({ stream: [first], event }) => first === name && event === 'delete'))
  const deletes = expected.filter(one => one.startsWith('delete'))
  assert.deepEqual(seen('user'), deletes)
  assert.deepEqual(seen('public'), deletes)
  const deleted = new Set<string>()
  for (const message of messages) {
    if (message.event === 'delete') deleted.add(idIn(message))
    else if (message.stream[0] === 'user') assert.ok(!deleted.has(idIn(message)), 'an update came after its delete')
  }
})

test('a block applies from the next event on, and removes earlier statuses', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(carol)
  const stream = await alice.stream('user')
  const before = await bob.postStatus('before')
  await stream.next('update')
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  await bob.postStatus('after')
  const messages = await stream.upTo('update', await mark(carol))
  assert.deepEqual(namesOf(messages).slice(0, -1), [`delete ${before.id}`])
})

test('notifications need a token with their scope', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const all = await alice.stream('user')
  const only = await alice.stream('user:notification')
  const plain = await openSocket(server, await makeToken(server, alice.userId, ['read:statuses']), 'user')
  t.after(() => plain.close())
  const status = await alice.postStatus('like this')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const message = await all.next('notification')
  const { type, account, status: about } = message.payload as Record<string, { id: string }>
  assert.deepEqual([type, account?.id, about?.id], ['favourite', bob.id, status.id])
  const listed = await alice.get('/api/v1/notifications')
  assert.deepEqual(message.payload, (listed.json as unknown[])[0])
  assert.deepEqual((await only.next('notification')).payload, message.payload)
  const messages = await plain.upTo('update', await mark(alice))
  assert.ok(messages.every(({ event }) => event === 'update'))
})

test('mentioned users receive edits', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const only = await alice.stream('user:notification')
  const user = await alice.stream('user')
  const status = await bob.postStatus(`hello @${alice.username}`)
  await bob.put(`/api/v1/statuses/${status.id}`, { status: `hello again @${alice.username}` })
  assert.equal(idIn(await only.next('status.update')), status.id)
  assert.equal(idIn(await user.next('status.update')), status.id)
  await bob.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await user.next('delete')).payload, status.id)
})

test('filters_changed has no payload', async t => {
  const { alice, server } = await people(t, 'alice')
  const stream = await alice.stream('user')
  await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
  const message = await stream.next('filters_changed')
  assert.deepEqual(message.stream, ['user'])
  assert.equal(message.payload, undefined)
})

test('notifications_merged follows the acceptance of requests', async t => {
  const { alice, server } = await people(t, 'alice')
  const [user, only] = [await alice.stream('user'), await alice.stream('user:notification')]
  await sql(server, `insert into events (kind, account_id) values ('notifications.merged', $1)`, [alice.id])
  assert.equal((await user.next('notifications_merged')).payload, '1')
  assert.equal((await only.next('notifications_merged')).payload, '1')
})

test('announcements reach everybody', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const streams = [await alice.stream('user'), await bob.stream('user')]
  const [made] = await sql(
    server,
    `insert into announcements (text, content, published, published_at) values ('Hi', '<p>Hi</p>', true, now())
     returning id::text as id`,
  )
  const id = String(made?.['id'])
  await sql(server, `insert into events (kind, object_id) values ('announcement.published', $1)`, [id])
  for (const stream of streams) {
    const { payload } = await stream.next('announcement')
    const seen = payload as Record<string, unknown>
    assert.deepEqual([seen['id'], seen['content'], 'read' in seen], [id, '<p>Hi</p>', false])
  }
  await alice.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent('👍')}`)
  for (const stream of streams) {
    assert.deepEqual((await stream.next('announcement.reaction')).payload, {
      name: '👍',
      count: 1,
      announcement_id: id,
    })
  }
  await sql(server, `insert into events (kind, object_id) values ('announcement.deleted', $1)`, [id])
  for (const stream of streams) assert.equal((await stream.next('announcement.delete')).payload, id)
})

test('a list stream sends its members’ posts and ends with the list', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(carol)
  const made = await alice.post('/api/v1/lists', { title: 'close' })
  const { id: list } = made.json as { id: string }
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const stream = await alice.stream('list', { list })
  const events = await alice.events(`list?list=${list}`)
  await carol.postStatus('not a member')
  const status = await bob.postStatus('a member')
  const [first, ...more] = await stream.upTo('update')
  assert.ok(first)
  assert.deepEqual([first.stream, idIn(first), more], [['list', list], status.id, []])
  await bob.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await stream.next('delete')).payload, status.id)
  await alice.delete(`/api/v1/lists/${list}`)
  assert.deepEqual(await stream.nextError(), { error: 'Not authorized to stream this list', status: 401 })
  await events.end()
})

test('the direct stream sends conversations, and the previous status when the last one is deleted', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const [mine, theirs] = [await alice.stream('direct'), await bob.stream('direct')]
  const first = await bob.postStatus(`@${alice.username} hi`, { visibility: 'direct' })
  const got = (await mine.next('conversation')).payload as Record<string, unknown>
  assert.equal(got['unread'], true)
  assert.deepEqual(
    (got['accounts'] as { id: string }[]).map(({ id }) => id),
    [bob.id],
  )
  assert.equal((got['last_status'] as { id: string }).id, first.id)
  assert.equal(((await theirs.next('conversation')).payload as { unread: boolean }).unread, false)
  const second = await bob.postStatus(`@${alice.username} and`, { visibility: 'direct', in_reply_to_id: first.id })
  await mine.next('conversation', ({ payload }) => JSON.stringify(payload).includes(second.id))
  await bob.delete(`/api/v1/statuses/${second.id}`)
  const back = (await mine.next('conversation')).payload as { last_status: { id: string } }
  assert.equal(back.last_status.id, first.id)
})
