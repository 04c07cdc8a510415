import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type Test } from 'tap'
import { execute } from '../support/database.ts'
import { person, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { StreamMessage } from '../support/socket.ts'

const idOf = ({ payload }: StreamMessage): string => (payload as { id: string }).id

interface Setting {
  readonly server: TestServer
  readonly author: Person
  readonly reader: Person
}

/** A reader who follows an author, on a separate server, because its database is disturbed. */
async function begin(t: Test): Promise<Setting> {
  const server = await startServer(t)
  const [author, reader] = await Promise.all([person(server, 'author'), person(server, 'reader')])
  t.after(() => reader.close())
  await reader.follow(author)
  return { server, author, reader }
}

/**
 * Ends all database sessions of the server: those of requests, of the reader of the log, of jobs.
 * Returns their number.
 */
async function cutSessions(server: TestServer): Promise<number> {
  const [row] = await execute(
    server.databaseUrl,
    `select count(pg_terminate_backend(a.pid))::integer as cut from pg_stat_activity a
     where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'`,
  )
  return Number(row?.['cut'])
}

/**
 * Posts one status after the other until stopped. Collects the acknowledged ones, and responses
 * that are neither 200 nor 503.
 */
function keepPosting(author: Person, name: string) {
  const acknowledged: string[] = []
  const unavailable: string[] = []
  const wrong: string[] = []
  const stopping = new AbortController()
  const done = (async (): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const { status, json, text } = await author.post('/api/v1/statuses', { status: `${name} ${count}` })
      if (status === 200) acknowledged.push((json as { id: string }).id)
      else if (status === 503) unavailable.push(text)
      else wrong.push(`${status} ${text}`)
    }
  })()
  return {
    acknowledged,
    unavailable,
    wrong,
    async stop(): Promise<void> {
      stopping.abort()
      await done
    },
  }
}

test('cut connections cause 503 at worst, and every acknowledged status is streamed once in order', async t => {
  const { server, author, reader } = await begin(t)
  const socket = await reader.stream('user')
  const writers = ['a', 'b', 'c'].map(name => keepPosting(author, name))
  let cut = 0
  for (let round = 0; round < 8; round += 1) {
    // Between two cuts each writer posts something successfully.
    const before = writers.map(({ acknowledged }) => acknowledged.length)
    cut += await cutSessions(server)
    const until = Date.now() + 20_000
    while (writers.some(({ acknowledged }, index) => acknowledged.length <= (before[index] ?? 0))) {
      if (Date.now() > until) assert.fail(`nothing was posted after cut ${round}: ${JSON.stringify(writers)}`)
      await author.get('/health')
    }
  }
  await Promise.all(writers.map(writer => writer.stop()))
  t.comment(`${cut} sessions cut; 503: ${writers.flatMap(writer => writer.unavailable).length}`)
  assert.ok(cut >= 8)
  assert.deepEqual(
    writers.flatMap(({ wrong }) => wrong),
    [],
  )
  for (const text of writers.flatMap(({ unavailable }) => unavailable)) {
    assert.equal(text, '{"error":"There was a temporary problem serving your request, please try again"}')
  }

  const { id: last } = await author.postStatus('the last')
  const streamed: string[] = []
  while (streamed.at(-1) !== last) streamed.push(idOf(await socket.next('update')))
  const streamedOnce = new Set(streamed)
  assert.equal(streamedOnce.size, streamed.length, 'a status was streamed twice')
  const acknowledged = writers.flatMap(writer => writer.acknowledged)
  assert.deepEqual(
    acknowledged.filter(id => !streamedOnce.has(id)),
    [],
    'acknowledged, but not streamed',
  )
  // Each writer posts its statuses one after the other.
  for (const writer of writers) {
    const own = new Set(writer.acknowledged)
    assert.deepEqual(
      streamed.filter(id => own.has(id)),
      writer.acknowledged,
    )
  }
  const lost = server.log.filter(({ msg }) => msg === 'a stream message could not be rendered or sent')
  assert.deepEqual(lost, [])
  // Statuses whose responses were lost have been streamed too.
  const { json } = await reader.get('/api/v1/timelines/home', { limit: '40' })
  const home = (json as { id: string }[]).map(({ id }) => id)
  assert.deepEqual(home, [...streamedOnce].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)).slice(0, 40))
})

test('a client that missed fifty events resumes with exactly these while sessions are cut', async t => {
  const { server, author, reader } = await begin(t)
  const first = await reader.stream('user', { last_event_id: '' })
  const { id: seen } = await author.postStatus('seen')
  const { id: position } = await first.next('update', message => idOf(message) === seen)
  assert.ok(position)
  first.socket.terminate()
  await once(first.socket, 'close')

  const missed: string[] = []
  for (let count = 0; count < 50; count += 1) {
    if (count % 20 === 10) await cutSessions(server)
    const { status, json } = await author.post('/api/v1/statuses', { status: `missed ${count}` })
    if (status === 200) missed.push((json as { id: string }).id)
    else {
      assert.equal(status, 503)
      count -= 1
    }
  }
  const second = await reader.stream('user', { last_event_id: position })
  const { id: last } = await author.postStatus('live again')
  const came: string[] = []
  while (came.at(-1) !== last) came.push(idOf(await second.next('update')))
  assert.deepEqual(came, [...missed, last])
})
