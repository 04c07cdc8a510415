import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../cli/command.ts'
import { Client } from '../support/client.ts'
import { person } from '../support/people.ts'
import { startReader } from '../support/resuming_reader.ts'
import { startServer } from '../support/server.ts'
import { startDatabaseProxy } from '../support/tcp_proxy.ts'

/** A wait of at most ten seconds for a connection, and for an answer, with some to spare. */
const LONGEST_MS = 25_000

const idOf = (payload: string): string => (JSON.parse(payload) as { id: string }).id

test('database connections that vanished silently are given up, and others are opened', async t => {
  const there = await startServer(t)
  const { databaseUrl } = there
  const cable = await startDatabaseProxy(t, databaseUrl)
  const here = await startServer(t, {
    databaseUrl: cable.url,
    env: { DATABASE_ANSWER_SECONDS: '2' },
    oneProcess: 'its connections vanish, not those of another',
  })
  const [author, reader] = await Promise.all([person(there, 'author'), person(there, 'reader')])
  await reader.follow(author)
  const before = await reader.stream('user', { last_event_id: '' })
  await author.postStatus('seen')
  const { id: from = '' } = await before.next('update')
  const one = await startReader(t, { url: here.url, databaseUrl }, reader, { stream: 'user', from, transport: 'sse' })

  const client = new Client(here, author.token)
  assert.equal((await client.get('/api/v1/timelines/public')).status, 200)

  cable.swallow()
  const began = performance.now()
  // Many more than the pool has connections.
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, count) => client.post('/api/v1/statuses', { status: `swallowed ${count}` })),
  )
  const tookMs = performance.now() - began
  t.comment(`unavailable for ${answers.length} requests after at most ${Math.round(tookMs)} ms`)
  assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503])

  cable.hear()
  const back = performance.now()
  const posted = await client.post('/api/v1/statuses', { status: 'heard again' })
  assert.equal(posted.status, 200, posted.text)
  const heard = await author.postStatus('by another server')
  t.comment(`posts again after ${Math.round(performance.now() - back)} ms`)
  const came = (await one.inbox.takeUntil('by another', ({ payload }) => idOf(payload) === heard.id)).map(
    ({ payload }) => idOf(payload),
  )
  assert.deepEqual(came, [(posted.json as { id: string }).id, heard.id])
  const check = await (await createCommandLine(t, databaseUrl)).run('check')
  assert.equal(check.code, 0, check.out + check.err)
})
