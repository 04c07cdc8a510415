import assert from 'node:assert/strict'
import { test } from 'tap'
import { quantileBound, parseSamples, ratePerSecond } from '../../src/cli/top/samples.ts'
import { formatSpan } from '../../src/cli/top/view.ts'
import { people } from '../support/people.ts'
import { runHere } from './command.ts'

test('top shows the live figures of a running server', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.stream('public:local')
  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PORT: String(server.config.port),
  }
  const watching = runHere(['top', '--every', '1', '--number', '5'], environment)
  const ended = new AbortController()
  void watching.finally(() => ended.abort())
  while (!ended.signal.aborted) await bob.postStatus('hello')
  const { code, out, err } = await watching
  assert.deepEqual([code, err], [0, ''])
  // A long transaction of another test's database holds back the events for a while.
  const pages = out.split('Millrace at ')
  const shown = pages.findLast(page => /^status\.created /m.test(page) && /^messages +[1-9]/m.test(page)) ?? out
  assert.match(shown, /^http:\/\/127\.0\.0\.1:\d+\n/)
  assert.match(shown, /^requests +\d+(\.\d)?\/s, p50 ≤ [\d.]+ ms, p99 /m)
  assert.match(shown, /^connections +.*websocket 1/m)
  assert.match(shown, /^messages +[1-9]/m)
  assert.match(shown, /^lag +p50 ≤ [\d.]+ ms, p99 ≤ [\d.]+ ms from event to socket$/m)
  assert.match(shown, /^public:local +1$/m)
  assert.match(shown, /^status\.created +[1-9]\d*(\.\d)?\/s$/m)
})

test('top prints one line when the server is missing', async () => {
  const { code, err } = await runHere(['top'], { PORT: '1', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  assert.deepEqual([code, err], [1, 'No server responds at http://127.0.0.1:1: start it, or name another with --url\n'])
})

const SLOW = `
# HELP millrace_errors_total Errors
millrace_errors_total{part="streaming_slow_websocket"} 3
millrace_errors_total{part="mail"} 9
a_total{path="/a \\"b\\"}",x="1"} 10
a_total{path="c",x="2"} 20
b_bucket{le="0.5"} 4
b_bucket{le="2"} 9
b_bucket{le="+Inf"} 10
no metric
`

test('rates and quantiles are computed between two samples', async () => {
  const before = parseSamples('a_total{path="c",x="2"} 10\nb_bucket{le="0.5"} 4\n', 1000)
  const after = parseSamples(SLOW, 3000)
  assert.equal(ratePerSecond(before, after, 'a_total'), 10)
  assert.equal(ratePerSecond(before, after, 'a_total', { x: '2' }), 5)
  assert.equal(ratePerSecond(after, before, 'b_bucket', { le: '2' }), 0)
  assert.deepEqual(
    [0.1, 0.5, 0.95].map(share => quantileBound(before, after, 'b', share)),
    [2, 2, Number.POSITIVE_INFINITY],
  )
  assert.equal(quantileBound(after, after, 'b', 0.5), undefined)
  const lines = formatSpan({ before, after, events: new Map([['status.created', 3]]) })
  assert.ok(lines.includes('too slow     websocket 3'), lines.join('\n'))
  assert.ok(lines.includes('status.created  1.5/s'), lines.join('\n'))
})
