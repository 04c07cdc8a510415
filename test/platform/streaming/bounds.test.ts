import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { test } from 'tap'
import { WebSocket } from 'ws'
import { openEvents, type TestEvents } from '../../support/events.ts'
import { person, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

const oneProcess = 'each process counts the streams that it has itself'
const ACCOUNT = 'Too many open streams of this account'
const ADDRESS = 'Too many open streams from this address'

/** The header of a trusted proxy. */
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })

const socketOf = (who: Person, address: string): Promise<TestSocket> =>
  openSocket(who.server, who.token, 'user', {}, { headers: from(address) })
const eventsOf = (who: Person, address: string): Promise<TestEvents> =>
  openEvents(who.server, who.token, 'user', from(address))

/** The response to a refused handshake. */
async function refusedSocket(who: Person, address: string): Promise<[number, unknown]> {
  const url = new URL(`/api/v1/streaming?access_token=${who.token}`, who.server.url.replace(/^http/, 'ws'))
  const socket = new WebSocket(url, { headers: from(address) })
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  socket.terminate()
  return [response.statusCode ?? 0, JSON.parse(body)]
}

async function refusedEvents(who: Person, address: string): Promise<[number, unknown]> {
  const events = await eventsOf(who, address)
  await events.end()
  return [events.status, JSON.parse(events.text)]
}

/** The numbers of refused streams, by limit. */
async function refusals(who: Person): Promise<Record<string, number>> {
  const { text } = await who.get('/metrics')
  const lines = text.matchAll(/^millrace_streams_refused_total\{bound="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, bound, count]) => [bound, Number(count)]))
}

test('the number of open streams is limited for each account and each address', async t => {
  const env = { RATE_LIMITS: 'on', STREAMS_PER_ACCOUNT: '2', STREAMS_PER_ADDRESS: '3' }
  const server = await startServer(t, { env, oneProcess })
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const first = await socketOf(alice, '192.0.2.1')
  const second = await eventsOf(alice, '192.0.2.2')
  assert.equal(second.status, 200)
  // By both transports, from any address.
  assert.deepEqual(await refusedSocket(alice, '192.0.2.3'), [429, { error: ACCOUNT }])
  assert.deepEqual(await refusedEvents(alice, '192.0.2.3'), [429, { error: ACCOUNT }])

  // The /64 network of an IPv6 address counts as one address.
  const others = await Promise.all(['carol', 'dora', 'eve', 'fay'].map(name => person(server, name)))
  const [carol, dora, eve, fay] = others
  assert.ok(carol && dora && eve && fay)
  const open = [
    await socketOf(bob, '2001:db8::1'),
    await socketOf(carol, '2001:db8::2'),
    await socketOf(dora, '2001:db8::3'),
  ]
  assert.deepEqual(await refusedSocket(eve, '2001:db8::4'), [429, { error: ADDRESS }])
  assert.deepEqual(await refusedEvents(fay, '2001:db8::5'), [429, { error: ADDRESS }])
  const elsewhere = await socketOf(eve, '2001:db8:0:1::4')
  assert.deepEqual(await refusals(alice), { account: 2, address: 2 })

  // Failed requests do not count: an unknown list, and a stream without its tag.
  for (let count = 0; count < 4; count += 1) {
    const refused = await openEvents(server, fay.token, 'list?list=1', from('192.0.2.9'))
    assert.equal(refused.status, 401)
    await refused.end()
  }

  // The end of a stream frees its slot, for a socket and for a stream of events.
  const ends = [first, ...open, elsewhere].map(socket => socket.close())
  second.close()
  await Promise.all(ends)
  const closed = async (): Promise<boolean> => {
    const { text } = await alice.get('/metrics')
    return !/^millrace_streams\{transport="\w+"\} [1-9]/m.test(text)
  }
  for (const deadline = Date.now() + 30_000; !(await closed());) assert.ok(Date.now() < deadline, 'all streams end')
  const again = [await socketOf(alice, '2001:db8::1'), await socketOf(alice, '2001:db8::1')]
  const third = await eventsOf(fay, '2001:db8::9')
  assert.equal(third.status, 200)
  third.close()
  await Promise.all(again.map(socket => socket.close()))
})

test('the limit also holds for simultaneous handshakes', async t => {
  const env = { RATE_LIMITS: 'on', STREAMS_PER_ACCOUNT: '3' }
  const server = await startServer(t, { env, oneProcess })
  const alice = await person(server, 'alice')
  const opened = await Promise.all(Array.from({ length: 10 }, () => eventsOf(alice, '192.0.2.1')))
  const statuses = opened.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, 200, 200, ...Array.from({ length: 7 }, () => 429)])
  for (const events of opened) events.close()
})

test('without rate limits the number of streams is not limited', async t => {
  const env = { RATE_LIMITS: 'off', STREAMS_PER_ACCOUNT: '1', STREAMS_PER_ADDRESS: '1' }
  const server = await startServer(t, { env })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await alice.stream('user')
  await alice.stream('user')
  assert.equal((await alice.events('user')).status, 200)
})
