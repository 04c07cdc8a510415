import assert from 'node:assert/strict'
import { once } from 'node:events'
import { EventSource } from 'eventsource'
import { test, type Test } from 'tap'
import { startProxy } from '../support/tcp_proxy.ts'
import { Inbox } from '../support/inbox.ts'
import { people, type Person } from '../support/people.ts'

interface Message {
  readonly event: string
  readonly data: string
  readonly id: string
}

interface Stream {
  readonly inbox: Inbox<Message>
  readonly source: EventSource
  /** The `Last-Event-ID` of each connection, or undefined. */
  readonly resumed: (string | undefined)[]
}

const EVENTS = ['update', 'status.update', 'delete', 'notification', 'conversation']

/**
 * Opens a stream like a browser, with the token in a header; resolves when it is open. Closed at
 * the end of the test.
 */
async function openStream(t: Test, reader: Person, path: string, url: string): Promise<Stream> {
  const inbox = new Inbox<Message>(({ event, id }) => `${event} (${id})`)
  const resumed: (string | undefined)[] = []
  const source = new EventSource(new URL(`/api/v1/streaming/${path}`, url), {
    fetch(address, init) {
      resumed.push(init.headers['Last-Event-ID'])
      return fetch(address, { ...init, headers: { ...init.headers, authorization: `Bearer ${reader.token}` } })
    },
  })
  t.after(() => source.close())
  for (const event of EVENTS) {
    source.addEventListener(event, ({ data, lastEventId: id }) => inbox.push({ event, data: String(data), id }))
  }
  await once(source, 'open')
  return { inbox, source, resumed }
}

const idOf = (data: string): string => (JSON.parse(data) as { id: string }).id

test('each action sends server-sent events to the right streams', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const open = (path: string): Promise<Stream> => openStream(t, alice, path, server.url)
  const feeds = await Promise.all(['user', 'public', 'public/local', 'hashtag?tag=tea'].map(open))
  const [user] = feeds
  const [direct, notification] = await Promise.all([open('direct'), open('user/notification')])
  assert.ok(user)
  const expect = async (streams: Stream[], wanted: string, fits: (data: string) => boolean): Promise<void> => {
    for (const { inbox, source } of streams) {
      await inbox.take(`${wanted} at ${source.url}`, ({ event, data }) => event === wanted && fits(data))
    }
  }

  const status = await bob.postStatus('#tea at four')
  await expect(feeds, 'update', data => idOf(data) === status.id)
  assert.equal((await bob.put(`/api/v1/statuses/${status.id}`, { status: '#tea at five' })).status, 200)
  await expect(feeds, 'status.update', data => data.includes('at five'))
  assert.equal((await bob.delete(`/api/v1/statuses/${status.id}`)).status, 200)
  await expect(feeds, 'delete', data => data === status.id)

  const own = await alice.postStatus('mine')
  await bob.post(`/api/v1/statuses/${own.id}/favourite`)
  await expect([user, notification], 'notification', data => data.includes('"type":"favourite"'))
  const secret = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  await expect([user], 'update', data => idOf(data) === secret.id)
  await expect([direct], 'conversation', data => data.includes(`"id":"${secret.id}"`))
})

test('a disconnected client reconnects by itself, without missing or repeated events', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const cable = await startProxy(t, server.url)
  const { inbox, source, resumed } = await openStream(t, alice, 'user', cable.url)
  const said = [(await bob.postStatus('before')).id]
  const first = await inbox.take('the status before the cut', ({ data }) => idOf(data) === said[0])

  const lost = once(source, 'error')
  cable.cut()
  await lost
  assert.equal(source.readyState, EventSource.CONNECTING)
  const missed = [await bob.postStatus('one'), await bob.postStatus('two'), await bob.postStatus('three')]
  await once(source, 'open')
  const last = await bob.postStatus('after')
  const came = await inbox.takeUntil('the status after the cut', ({ data }) => idOf(data) === last.id)
  assert.deepEqual(
    came.map(({ data }) => idOf(data)),
    [...missed, last].map(({ id }) => id),
  )
  assert.deepEqual(resumed, [undefined, first.id])
})
