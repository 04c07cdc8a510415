import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type Test } from 'tap'
import { partOf, planDay } from '../../bench/load/day_plan.ts'
import { DayStreams, markOf } from '../../bench/load/day_streams.ts'
import { nowMicroseconds } from '../../bench/load/latency.ts'

const PEOPLE = 2000
const HOUR_S = 3600

test('a day is the same for the same seed, and another for another', async () => {
  assert.deepEqual(planDay(50, 'one'), planDay(50, 'one'))
  assert.notDeepEqual(planDay(50, 'one'), planDay(50, 'two'))
})

test('people come three times a day for minutes, a tenth for hours, and post three times', async () => {
  const visits = planDay(PEOPLE, 'spread')
  const long = visits.filter(({ from, until }) => until - from > HOUR_S)
  assert.ok(visits.length > 2.8 * PEOPLE && visits.length < 3.2 * PEOPLE, String(visits.length))
  assert.ok(long.length > 0.08 * PEOPLE && long.length < 0.12 * PEOPLE, String(long.length))
  const actions = visits.flatMap(visit => visit.actions)
  const posts = actions.filter(({ kind }) => ['post', 'reply', 'picture'].includes(kind))
  assert.equal(posts.length, 3 * PEOPLE)
  for (const kind of ['search', 'picture', 'subscribe', 'favourite', 'context', 'account'])
    assert.ok(
      actions.some(action => action.kind === kind),
      kind,
    )
  const inHour = (hour: number): number => visits.filter(({ from }) => Math.floor(from / HOUR_S) === hour).length
  assert.ok(inHour(20) > 5 * inHour(4))
})

test('a part of the day has the rest of earlier visits, in the order of time, the first of each kind marked', async () => {
  const [from, until] = [20 * HOUR_S, 21 * HOUR_S]
  const visits = partOf(planDay(PEOPLE, 'part'), from, until)
  assert.ok(visits.some(visit => visit.from < from))
  for (const visit of visits) {
    assert.ok(visit.from < until && visit.until > from)
    const times = visit.actions.map(({ at }) => at)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok(times.every(at => at >= from && at < until))
    if (visit.from >= from) assert.equal(visit.actions.find(({ kind }) => kind === 'home')?.first, true)
  }
})

/** A server whose streams send these texts and say nothing more. */
async function openSource(t: Test, texts: readonly string[]): Promise<string> {
  const server = createServer().on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    for (const text of texts) {
      const message = Buffer.from(JSON.stringify({ event: 'update', payload: text }))
      assert.ok(message.length < 126)
      socket.write(Buffer.concat([Buffer.from([0x81, message.length]), message]))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

test('a post that does not arrive counts as lost, one that arrives again as twice', async t => {
  const url = await openSource(t, [markOf(1, 1), markOf(1, 2), markOf(1, 2)])
  const [reader, author, stranger] = [0, 1, 2]
  const streams = new DayStreams(url, [[reader], [author, reader], [stranger]], 100)
  const stream = await streams.open(reader, 'token')
  const laterUs = nowMicroseconds() + 1
  for (const number of [1, 2, 3]) streams.expect(number, author, laterUs)
  streams.expect(4, stranger, laterUs)
  streams.expect(5, author, stream.openedUs - 1)
  await streams.close(stream)
  streams.expect(6, author, laterUs)
  assert.deepEqual([streams.received, streams.lost, streams.twice], [3, 1, 1])
})
