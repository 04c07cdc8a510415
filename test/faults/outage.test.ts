import assert from 'node:assert/strict'
import { test } from 'tap'
import { startDatabaseProxy } from '../support/tcp_proxy.ts'
import { Client } from '../support/client.ts'
import { person } from '../support/people.ts'
import { startReader, type ResumingReader } from '../support/resuming_reader.ts'
import { startServer } from '../support/server.ts'

/** The number of posts by another server while one has no database. */
const DURING = 40
/** "Service restart": the client reconnects and resumes. */
const COME_BACK = 1012

const idOf = (payload: string): string => (JSON.parse(payload) as { id: string }).id

/** The ids of the statuses received up to and including this one. */
const takeUpTo = async ({ inbox }: ResumingReader, id: string): Promise<string[]> =>
  (await inbox.takeUntil(`status ${id}`, ({ payload }) => idOf(payload) === id)).map(({ payload }) => idOf(payload))

/** An unavailable database is not the client's fault: the error is 503. */
async function assertUnavailable(client: Client): Promise<void> {
  const socket = await client.stream()
  socket.send({ type: 'subscribe', stream: 'list', list: '1' })
  const unknown = new Client(client.server, 'unseen')
  const [health, events, frame] = await Promise.all([
    client.get('/health'),
    unknown.get('/api/v1/streaming/user'),
    socket.nextError(),
  ])
  assert.deepEqual(
    [health.status, health.json],
    [503, { error: 'There was a temporary problem serving your request, please try again' }],
  )
  assert.deepEqual([events.status, events.json], [500, { error: 'An unexpected error occurred' }])
  assert.deepEqual(frame, { error: 'An unexpected error occurred', status: 500 })
  await client.close()
}

test('a long database outage ends streams, and resuming clients miss nothing', async t => {
  const there = await startServer(t)
  const { databaseUrl } = there
  const cable = await startDatabaseProxy(t, databaseUrl)
  const oneProcess = 'its database goes when it has just heard of a status, and another would not have'
  const here = await startServer(t, { databaseUrl: cable.url, oneProcess })
  const [author, reader] = await Promise.all([person(there, 'author'), person(there, 'reader')])
  await reader.follow(author)
  const before = await reader.stream('user', { last_event_id: '' })
  await author.postStatus('seen')
  const { id: from = '' } = await before.next('update')
  await before.close()
  const wanted = { stream: 'user', from }
  const socket = await startReader(t, { url: here.url, databaseUrl }, reader, { ...wanted, transport: 'websocket' })
  const events = await startReader(t, { url: here.url, databaseUrl }, reader, { ...wanted, transport: 'sse' })
  const live = await author.postStatus('live')
  for (const one of [socket, events]) assert.deepEqual(await takeUpTo(one, live.id), [live.id])

  // The database is lost just after the server read the event of a status: it can render neither
  // this status nor later ones.
  const removed = cable.removeAfter('unrendered')
  const said = [(await author.postStatus('#unrendered')).id]
  await removed
  for (let count = 0; count < DURING; count += 1) said.push((await author.postStatus(`during ${count}`)).id)
  await assertUnavailable(new Client(here, reader.token))
  const closed = here.log.filter(({ msg }) => msg === 'stream connections were closed so that their clients resume')
  assert.ok(closed.length > 0)
  await cable.restore()
  said.push((await author.postStatus('after')).id)
  for (const one of [socket, events]) {
    assert.deepEqual(await takeUpTo(one, said.at(-1) ?? ''), said, one.wanted.transport)
    assert.ok(one.connections > 1, 'it was not interrupted')
  }
  assert.ok(socket.codes.length > 0 && socket.codes.every(code => code === COME_BACK), socket.codes.join())
  assert.deepEqual(
    here.log.filter(({ msg }) => msg === 'a stream message could not be rendered or sent'),
    [],
  )
})
