import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../cli/command.ts'
import { person } from '../support/people.ts'
import { startReader } from '../support/resuming_reader.ts'
import { startServer } from '../support/server.ts'
import { startDatabaseProxy } from '../support/tcp_proxy.ts'

/** A post needs several round trips, and a request waits at most ten seconds for a connection. */
const LONGEST_MS = 30_000
const PACES = [
  { name: 'each packet is 300 ms late', pace: { everyMs: 300 } },
  { name: 'bytes drip', pace: { everyMs: 2, bytes: 64 } },
]

const idOf = (payload: string): string => (JSON.parse(payload) as { id: string }).id

for (const { name, pace } of PACES) {
  test(`the database is slow: ${name}`, async t => {
    const there = await startServer(t)
    const { databaseUrl } = there
    const cable = await startDatabaseProxy(t, databaseUrl)
    const here = await startServer(t, {
      databaseUrl: cable.url,
      oneProcess: 'its database is slow, not that of another',
    })
    const [author, reader] = await Promise.all([person(here, 'author'), person(here, 'reader')])
    await reader.follow(author)
    const before = await reader.stream('user', { last_event_id: '' })
    await author.postStatus('seen')
    const { id: from = '' } = await before.next('update')
    const stream = { stream: 'user', from }
    const socket = await startReader(t, here, reader, { ...stream, transport: 'websocket' })
    const events = await startReader(t, here, reader, { ...stream, transport: 'sse' })

    cable.slow(pace)
    const began = performance.now()
    // Many more than the pool has connections.
    const writing = Array.from({ length: 15 }, async (_, count) =>
      author.post('/api/v1/statuses', { status: `late ${count}` }),
    )
    const reading = Array.from({ length: 30 }, () => reader.get('/api/v1/timelines/public', { limit: '40' }))
    const answers = await Promise.all([...writing, ...reading])
    const tookMs = performance.now() - began
    t.comment(`${answers.length} requests in ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200 && status !== 503).map(({ text }) => text),
      [],
    )
    const acknowledged = answers
      .slice(0, writing.length)
      .filter(({ status }) => status === 200)
      .map(({ json }) => (json as { id: string }).id)
    assert.ok(acknowledged.length > 0)

    cable.slow(undefined)
    const last = await author.postStatus('quick again')
    for (const one of [socket, events]) {
      const came = (await one.inbox.takeUntil('the last', ({ payload }) => idOf(payload) === last.id)).map(
        ({ payload }) => idOf(payload),
      )
      assert.equal(new Set(came).size, came.length, 'a status came twice')
      assert.deepEqual(
        acknowledged.filter(id => !came.includes(id)),
        [],
      )
    }
    const { text } = await author.get('/metrics')
    assert.match(text, /^millrace_database_waiting 0$/m)
    const check = await (await createCommandLine(t, databaseUrl)).run('check')
    assert.equal(check.code, 0, check.out + check.err)
  })
}
