import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, type Person } from '../../support/people.ts'
import { PROCESSES } from '../../support/processes.ts'
import { startServer } from '../../support/server.ts'

/** The value of a metric; 0 when it is absent. */
async function readMetric(reader: Person, name: string): Promise<number> {
  const { text } = await reader.get('/metrics')
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

const lag = (part: string): string => `millrace_stream_lag_seconds_${part}`

test('metrics count streams by transport and name and messages by transport, and measure the lag of events', async t => {
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  t.after(() => alice.close())
  const sockets = [await alice.stream('public:local'), await alice.stream('hashtag', { tag: 'tea' })]
  const events = await alice.events('public/local')
  const subscriptions = (stream: string): Promise<number> =>
    readMetric(alice, `millrace_stream_subscriptions{stream="${stream}"}`)
  assert.deepEqual(
    [await subscriptions('public:local'), await subscriptions('hashtag'), await subscriptions('user')],
    [2, 1, 0],
  )
  assert.equal(await readMetric(alice, 'millrace_streams{transport="websocket"}'), 2)
  assert.equal(await readMetric(alice, 'millrace_streams{transport="sse"}'), 1)

  await bob.postStatus('nobody’s business', { visibility: 'private' })
  const { id } = await bob.postStatus('#tea')
  for (const socket of sockets) await socket.next('update', one => (one.payload as { id: string }).id === id)
  await events.next('update')
  const count = await readMetric(alice, lag('count'))
  assert.ok(count >= 1 && count <= PROCESSES, 'one event had recipients, in each process with streams')
  const [quick, all] = [await readMetric(alice, lag('bucket{le="10"}')), await readMetric(alice, lag('sum'))]
  assert.ok(quick === count && all > 0, `${all} s`)
  assert.equal(await readMetric(alice, 'millrace_stream_messages_total{transport="websocket"}'), 2)
  assert.equal(await readMetric(alice, 'millrace_stream_messages_total{transport="sse"}'), 1)

  // The lag includes the time from the event to the commit, because PostgreSQL does not report when
  // a transaction commits.
  const own = await alice.stream('user')
  await sql(
    server,
    `with written as (insert into events (kind, account_id) values ('filters.changed', $1) returning id)
     select pg_sleep(0.3) from written`,
    [alice.id],
  )
  await own.next('filters_changed')
  const sum = await readMetric(alice, lag('sum'))
  assert.ok(sum - all >= 0.3 && sum - all < 10, `${sum - all} s`)

  await alice.close()
  events.close()
  for (const stream of ['public:local', 'hashtag', 'user']) {
    const until = Date.now() + 10_000
    while ((await subscriptions(stream)) > 0) assert.ok(Date.now() < until, stream)
  }
})
