import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { startEmbedded } from '../../src/platform/database/embedded/index.ts'
import { childEnvironment } from '../../src/platform/database/embedded/postmaster.ts'
import { chooseTemporaryFolder, connectionUrl } from '../support/cluster.ts'
import { execute } from '../support/database.ts'
import { fakeClock, skipWithoutFakeClock, type FakeClock } from '../support/fake_clock.ts'
import { ownInstallation } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'
import { startReader } from '../support/resuming_reader.ts'
import type { ServerAddress } from '../support/server.ts'
import { assertComplete, keepPosting, untilAllPosted } from '../support/writers.ts'

/* A clock that somebody sets by hours while people post and read. */

const HOUR_MS = 3_600_000
const PAGE = 40
/** A home timeline shows this many. */
const MAX_SHOWN = 800
const WAIT_MS = 120_000

interface Place {
  readonly clock: FakeClock
  readonly program: Program
  readonly server: ServerAddress
  readonly env: Record<string, string>
}

/** Two workers and a PostgreSQL of their own, all with one clock. */
async function start(t: Test): Promise<Place> {
  const clock = fakeClock(t)
  const withClock = { ...childEnvironment.env, ...clock.env }
  t.intercept(childEnvironment, 'env', { value: withClock, enumerable: true })
  const dataDir = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-clock-'))
  const embedded = await startEmbedded({ dataDir, log: () => {}, extraSettings: { fsync: 'off' } })
  t.after(async () => {
    await embedded.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const databaseUrl = connectionUrl(embedded.connection)
  const given = {
    ...clock.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    WORKERS: '2',
    DATABASE_POOL: '4',
    CRON: 'on',
  }
  const program = await startProgram(t, given)
  await program.logged('listening')
  return { clock, program, server: { url: program.url, databaseUrl }, env: given }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    assert.ok(performance.now() - began < WAIT_MS, what)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** The ids of a home timeline, page by page. */
async function readHome(reader: Person): Promise<string[]> {
  const ids: string[] = []
  for (let max = ''; ;) {
    const { status, json, text } = await reader.get(`/api/v1/timelines/home?limit=${PAGE}${max}`)
    assert.equal(status, 200, text)
    const page = (json as { id: string }[]).map(({ id }) => id)
    if (page.length === 0) return ids
    ids.push(...page)
    max = `&max_id=${page.at(-1)}`
  }
}

const newestFirst = (ids: readonly string[]): string[] =>
  ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : BigInt(a) > BigInt(b) ? -1 : 0))

/** Whether the schedule has run, since the clock was set, and waits for no time of before. */
async function cronRuns({ databaseUrl }: ServerAddress): Promise<boolean> {
  const [row] = await execute(
    databaseUrl,
    `select bool_and(last_execution is null or last_execution < now() + interval '1 minute')
       and max(last_execution) > now() - interval '2 minutes' as runs
     from graphile_worker._private_known_crontabs`,
  )
  return row?.['runs'] === true
}

test('the clock is set forwards and backwards', { skip: skipWithoutFakeClock }, async t => {
  const { clock, program, server, env } = await start(t)
  const [reader, ada, ben] = await Promise.all(['reader', 'ada', 'ben'].map(name => person(server, name)))
  assert.ok(reader && ada && ben)
  for (const author of [ada, ben]) await reader.follow(author)
  const first = await reader.stream('user', { last_event_id: '' })
  const { id: oldest } = await ada.postStatus('before')
  const { id: from = '' } = await first.next('update')
  await first.close()
  const readers = [
    await startReader(t, server, reader, { stream: 'user', from, transport: 'websocket', fromAny: true }),
    await startReader(t, server, reader, { stream: 'user', from, transport: 'sse', fromAny: true }),
  ]
  const scheduledAt = new Date(Date.now() + 5 * HOUR_MS).toISOString()
  const scheduled = await reader.post('/api/v1/statuses', { status: 'scheduled', scheduled_at: scheduledAt })
  assert.equal(scheduled.status, 200, scheduled.text)
  const writers = [ada, ben].map(keepPosting)
  await untilAllPosted(writers, 'nothing')
  for (const hours of [6, -3, 7]) {
    clock.set(hours)
    await untilAllPosted(writers, `${hours} hours`)
    // Readers come back at the new time, with an id of the old one.
    for (const one of readers) one.cut()
    await untilAllPosted(writers, `${hours} hours, and cut streams`)
    if (hours === 6)
      await until('the scheduled status was not published', async () => {
        const { json } = await reader.get(`/api/v1/accounts/${reader.id}/statuses`)
        return (json as unknown[]).length === 1
      })
    // The schedule would wait for the time that it had reached.
    if (hours === -3) await until('no job of the schedule ran', () => cronRuns(server))
  }
  await Promise.all(writers.map(writer => writer.stop()))
  assert.deepEqual(
    writers.flatMap(({ wrong }) => wrong),
    [],
  )
  const { id: last } = await ada.postStatus('the last')
  const [own] = (await reader.get(`/api/v1/accounts/${reader.id}/statuses`)).json as { id: string }[]
  const posted = [...writers.flatMap(({ acknowledged }) => acknowledged), last]
  for (const one of readers) await assertComplete(one, last, writers, own ? [own.id] : [])
  const expected = newestFirst([...posted, oldest, String(own?.id)])
  assert.deepEqual(await readHome(reader), expected.slice(0, MAX_SHOWN))

  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  // Events of the future are a finding of their own.
  clock.set(8)
  const check = await ownInstallation.ctl(env, 'check')
  assert.equal(check.code, 0, check.output + check.errors)
})

test('a millisecond that comes again makes no id twice', { skip: skipWithoutFakeClock }, async t => {
  const { clock, server } = await start(t)
  const ada = await person(server, 'ada')
  clock.stopAt(new Date())
  const poll = { options: ['a', 'b'], expires_in: 3600 }
  const ids: string[] = []
  for (const more of [{}, {}, { poll }]) {
    // The same millisecond and the same number, as hours later after the clock was set back.
    await execute(server.databaseUrl, `select setval('snowflakes', 1000)`)
    ids.push((await ada.postStatus(`number ${ids.length}`, more)).id)
  }
  assert.equal(new Set(ids).size, 3)
})
