import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { createTestDatabase } from '../support/database.ts'
import { ownInstallation, startInstalled } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'
import { startReader, type ResumingReader, type Transport } from '../support/resuming_reader.ts'
import type { ServerAddress } from '../support/server.ts'

/* Rolling restarts: new processes take over the port of a server while it is used. */

/** An operator must act. */
const ERROR = 50

const idOf = (payload: string): string => (JSON.parse(payload) as { id: string }).id

/** Does something again and again until it is stopped; collects the answers other than 200. */
function repeat(work: (count: number) => Promise<{ status: number; text: string }>) {
  const wrong: string[] = []
  const stopping = new AbortController()
  let count = 0
  const done = (async (): Promise<void> => {
    for (; !stopping.signal.aborted; count += 1) {
      const response = await work(count).catch((error: unknown) => ({ status: 0, text: String(error) }))
      if (response.status !== 200) wrong.push(`${response.status} ${response.text}`)
    }
  })()
  return {
    wrong,
    count: () => count,
    async stop(): Promise<void> {
      stopping.abort()
      await done
    },
  }
}

/** People who post and read, and readers of the stream of one of them by both transports. */
async function startTraffic(t: Test, server: ServerAddress) {
  const [reader, ...authors] = await Promise.all(['reader', 'ada', 'ben', 'cleo'].map(name => person(server, name)))
  assert.ok(reader)
  for (const author of authors) await reader.follow(author)
  const first = await reader.stream('user', { last_event_id: '' })
  await (authors[0] as Person).postStatus('before')
  const { id: from = '' } = await first.next('update')
  await first.close()
  const readers: ResumingReader[] = []
  for (const transport of ['websocket', 'sse', 'websocket', 'sse'] satisfies Transport[])
    readers.push(await startReader(t, server, reader, { stream: 'user', from, transport, fromAny: true }))
  const posted = authors.map((): string[] => [])
  const work = authors.map((author, index) =>
    repeat(async count => {
      const response = await author.post('/api/v1/statuses', { status: `number ${count} of ${author.username}` })
      if (response.status === 200) posted[index]?.push((response.json as { id: string }).id)
      return response
    }),
  )
  work.push(
    repeat(() => reader.get('/api/v1/timelines/home')),
    repeat(() => reader.get('/api/v1/timelines/public')),
  )
  return {
    readers,
    posted,
    /** Waits until each of them has done something more. */
    async more(): Promise<void> {
      const before = work.map(one => one.count())
      while (work.some((one, index) => one.count() <= (before[index] ?? 0) + 1)) await new Promise(setImmediate)
    },
    /** Ends it and returns the id of a last status, and everything that went wrong. */
    async stop(): Promise<{ last: string; wrong: string[] }> {
      await Promise.all(work.map(one => one.stop()))
      const { id: last } = await (authors[0] as Person).postStatus('the last')
      return { last, wrong: work.flatMap(one => one.wrong) }
    },
  }
}

async function languages(server: ServerAddress): Promise<unknown> {
  const response = await fetch(`${server.url}/api/v2/instance`)
  return ((await response.json()) as { languages: unknown }).languages
}

for (const [workers, later] of [
  [1, 2],
  [2, 1],
] as const) {
  test(`two restarts under load, from WORKERS=${workers}: no failed request, each event once`, async t => {
    const running = await startInstalled(t, ownInstallation, {
      workers,
      databaseUrl: workers === 1 ? undefined : (await createTestDatabase(t)).url,
    })
    const { program, server, env, envFile, dataDir } = running
    const postmaster = (): string =>
      workers === 1 ? readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8') : ''
    const database = postmaster()
    const traffic = await startTraffic(t, server)
    await traffic.more()
    const before = new Set(traffic.readers.map(({ worker }) => worker))

    const first = await ownInstallation.ctl(env, 'restart')
    assert.deepEqual([first.code, first.errors], [0, ''], first.output)
    await traffic.more()
    writeFileSync(envFile, `WORKERS=${later}\nDEFAULT_LOCALE=de\nDATABASE_POOL=4\n`)
    const second = await ownInstallation.ctl(env, 'restart')
    const what = later === 1 ? 'a new process serves' : `${later} new processes serve`
    assert.match(second.output, new RegExp(`^OK, ${what} after [\\d.]+ s, and the previous ones have ended\n$`))
    await traffic.more()
    const { last, wrong } = await traffic.stop()

    assert.deepEqual(wrong, [])
    assert.deepEqual(await languages(server), ['de'])
    assert.equal(postmaster(), database, 'PostgreSQL was started again')
    const acknowledged = traffic.posted.flat()
    for (const reader of traffic.readers) {
      const came = (await reader.inbox.takeUntil('the last', ({ payload }) => payload.includes(`"id":"${last}"`)))
        .filter(({ event }) => event === 'update')
        .map(({ payload }) => idOf(payload))
      const where = `${reader.wanted.transport}, ${reader.connections} connections`
      assert.equal(new Set(came).size, came.length, `${where}: a status came twice`)
      assert.deepEqual(new Set(came), new Set([...acknowledged, last]), where)
      for (const own of traffic.posted)
        assert.deepEqual(
          came.filter(id => own.includes(id)),
          own,
          `${where}: out of order`,
        )
      assert.ok(!before.has(reader.worker), `${where}: still at the first process`)
      assert.ok(
        reader.codes.every(code => code === 1012),
        reader.codes.join(),
      )
    }
    t.comment(`${acknowledged.length} posts, connections: ${traffic.readers.map(one => one.connections).join()}`)
    program.kill('SIGTERM')
    assert.deepEqual(await program.ended(), { code: 0, signal: null })
    assert.deepEqual(
      program.log.filter(({ level }) => Number(level) >= ERROR),
      [],
    )
  })
}
