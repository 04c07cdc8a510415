import assert from 'node:assert/strict'
import { test } from 'tap'
import { INSERT_DELETION_EVENTS } from '../../support/deletions.ts'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

test('a reader that does not read is disconnected, and the others receive everything', async t => {
  const server = await startServer(t, { env: { LOG_LEVEL: 'warn' } })
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const slow = await alice.stream()
  // With ids, so that its messages fill the buffer as soon as those of the socket.
  const deaf = await alice.events('public?last_event_id=')
  const quick = await bob.stream('public')
  for (const stream of ['public', 'public:local', 'public:media', 'public:local:media']) {
    slow.send({ type: 'subscribe', stream })
  }
  slow.send({ type: 'subscribe', stream: 'nonsense' })
  await slow.nextError()
  slow.socket.pause()
  deaf.pause()
  const rounds = 12
  const round = 10_000
  for (let count = 1; count <= rounds; count += 1) {
    await sql(server, INSERT_DELETION_EVENTS, [bob.id, 900_000, round])
    await quick.next('delete', ({ payload }) => payload === String(900_000 + round))
  }
  const metrics = await bob.get('/metrics')
  assert.match(metrics.text, /millrace_errors_total\{part="streaming_slow_websocket"\} 1\n/)
  assert.match(metrics.text, /millrace_errors_total\{part="streaming_slow_sse"\} 1\n/)
  assert.match(metrics.text, /millrace_streams\{transport="websocket"\} 1\n/)
  assert.match(metrics.text, /millrace_streams\{transport="sse"\} 0\n/)
  slow.socket.resume()
  assert.equal((await slow.end()).code, 1006)
  deaf.resume()
  await deaf.end()
})
