import assert from 'node:assert/strict'
import { test } from 'tap'
import { readChunks } from '../../support/chunk_reader.ts'
import { person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

const update = (id: string, chunk: string): boolean =>
  chunk.includes('event: update\n') && chunk.includes(`"id":"${id}"`) && chunk.endsWith('\n\n')

test('a stream message is delivered to the last byte, without a later message', async t => {
  // The mocked timer keeps thumps away, so that only the test causes messages.
  fakeTimers(t).enable({ apis: ['setInterval'] })
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  await alice.follow(bob)
  const { head, chunks } = await readChunks(t, server.url, alice.token, 'user')
  assert.match(head, /^transfer-encoding: chunked$/im)
  await chunks.take('the greeting', chunk => chunk === ':)\n')
  const short = await bob.postStatus('short')
  await chunks.take('a short status', chunk => update(short.id, chunk))
  const long = await bob.postStatus(`long ${'ü'.repeat(400)}`)
  await chunks.take('a long status', chunk => update(long.id, chunk))
  await bob.delete(`/api/v1/statuses/${short.id}`)
  await chunks.take('the deletion', chunk => chunk.includes(`event: delete\ndata: ${short.id}\n\n`))
  fakeTimers(t).tick(15_000)
  await chunks.take('the thump, which is one line', chunk => chunk === ':thump\n')
})
