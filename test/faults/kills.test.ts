import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { execute } from '../support/database.ts'
import { ownInstallation, startInstalled, type Running } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'
import { startReader, type ResumingReader } from '../support/resuming_reader.ts'

/*
 * `kill -9` of every process of a server, alone and together, while people post and read. Some
 * rounds here; for more: MILLRACE_TEST_KILLS=100, with --timeout=3600.
 */

const ROUNDS = Number(process.env['MILLRACE_TEST_KILLS'] ?? 5)

const VICTIMS = [
  ['worker'],
  ['postgres'],
  ['server'],
  ['worker', 'postgres'],
  ['server', 'worker', 'postgres'],
] as const
type Victim = (typeof VICTIMS)[number][number]

/** How long everything may be gone: a restarted server on a busy machine. */
const RECOVERY_MS = 120_000
const AGAIN_MS = 50

/** A server that is started again when it was killed, as systemd does. */
class Supervised {
  program: Program
  readonly #t: Test
  readonly #running: Running

  constructor(t: Test, running: Running) {
    this.#t = t
    this.#running = running
    this.program = running.program
  }

  pidsOf(victim: Victim): number[] {
    if (victim === 'server') return [this.program.pid]
    if (victim === 'postgres') {
      const file = join(this.#running.dataDir, 'postgres', 'postmaster.pid')
      return [Number.parseInt(readFileSync(file, 'utf8'), 10)]
    }
    const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(this.program.pid)], { encoding: 'utf8' })
    const workers = children.split('\n').filter(line => line.includes('worker.ts'))
    return workers.slice(0, 1).map(line => Number.parseInt(line, 10))
  }

  kill(victims: readonly Victim[]): void {
    const pids = victims.flatMap(victim => this.pidsOf(victim))
    assert.equal(pids.length, victims.length, `${victims.join()}: found ${pids.join()}`)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
  }

  /** Starts it again until it stays: the workers of the killed one may still have the port. */
  async restart(): Promise<void> {
    await this.program.exited()
    const env = { ...this.#running.env, PORT: new URL(this.#running.server.url).port }
    for (;;) {
      this.program = await startProgram(this.#t, env, ownInstallation.server)
      try {
        await this.program.logged('listening')
        return
      } catch (error) {
        if (!/is using the port/.test(this.program.errors)) throw error
      }
    }
  }
}

/**
 * Posts one status after the other, each until it is acknowledged, as a client with a queue does.
 */
function keepPosting(author: Person) {
  const acknowledged: string[] = []
  const wrong: string[] = []
  const stopping = new AbortController()
  async function post(count: number): Promise<void> {
    const key = { 'idempotency-key': `${author.username}-${count}` }
    for (;;) {
      const body = { status: `number ${count} of ${author.username}` }
      const answer = await author.post('/api/v1/statuses', body, key).catch(() => undefined)
      if (answer?.status === 200) return void acknowledged.push((answer.json as { id: string }).id)
      if (answer && answer.status !== 503) wrong.push(`${answer.status} ${answer.text}`)
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    }
  }
  const done = (async (): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count += 1) await post(count)
  })()
  return {
    acknowledged,
    wrong,
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

async function untilAllPosted(writers: readonly { acknowledged: readonly string[] }[], what: string): Promise<number> {
  const before = writers.map(({ acknowledged }) => acknowledged.length)
  const began = performance.now()
  while (writers.some(({ acknowledged }, index) => acknowledged.length < (before[index] ?? 0) + 2)) {
    assert.ok(performance.now() - began < RECOVERY_MS, `nobody can post after the death of ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return performance.now() - began
}

/** Every acknowledged status came to a reader once, and those of one author in order. */
async function assertComplete(reader: ResumingReader, last: string, writers: ReturnType<typeof keepPosting>[]) {
  const messages = await reader.inbox.takeUntil('the last', ({ payload }) => payload.includes(`"id":"${last}"`))
  const came = messages
    .filter(({ event }) => event === 'update')
    .map(({ payload }) => (JSON.parse(payload) as { id: string }).id)
  const where = reader.wanted.transport
  assert.equal(new Set(came).size, came.length, `${where}: a status came twice`)
  assert.deepEqual(new Set(came), new Set([...writers.flatMap(({ acknowledged }) => acknowledged), last]), where)
  for (const { acknowledged } of writers) {
    const own = new Set(acknowledged)
    assert.deepEqual(
      came.filter(id => own.has(id)),
      acknowledged,
      `${where}: out of order`,
    )
  }
}

test(`kill -9, ${ROUNDS} times: what was acknowledged is there, once, and streams resume`, async t => {
  const running = await startInstalled(t, ownInstallation, { workers: 2, databaseUrl: undefined })
  const { server, env } = running
  const supervised = new Supervised(t, running)
  const [reader, ada, ben] = await Promise.all(['reader', 'ada', 'ben'].map(name => person(server, name)))
  assert.ok(reader && ada && ben)
  for (const author of [ada, ben]) await reader.follow(author)
  const first = await reader.stream('user', { last_event_id: '' })
  await ada.postStatus('before')
  const { id: from = '' } = await first.next('update')
  await first.close()
  const readers = [
    await startReader(t, server, reader, { stream: 'user', from, transport: 'websocket', fromAny: true }),
    await startReader(t, server, reader, { stream: 'user', from, transport: 'sse', fromAny: true }),
  ]
  const writers = [ada, ben].map(keepPosting)
  await untilAllPosted(writers, 'nobody')
  const tookMs = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const victims = VICTIMS[round % VICTIMS.length] ?? VICTIMS[0]
    const what = victims.join(' and ')
    supervised.kill(victims)
    const isGone = victims.some(victim => victim === 'server')
    const [ms] = await Promise.all([untilAllPosted(writers, what), isGone && supervised.restart()])
    tookMs.set(what, [...(tookMs.get(what) ?? []), ms])
  }
  await Promise.all(writers.map(writer => writer.stop()))
  const { id: last } = await ada.postStatus('the last')

  assert.deepEqual(
    writers.flatMap(({ wrong }) => wrong),
    [],
  )
  for (const one of readers) await assertComplete(one, last, writers)
  const counted = await execute(
    server.databaseUrl,
    `select count(*)::int as all, count(distinct text)::int as different from statuses`,
  )
  const expected = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 2)
  assert.deepEqual(counted, [{ all: expected, different: expected }])
  const check = await ownInstallation.ctl(env, 'check')
  assert.equal(check.code, 0, check.output + check.errors)
  for (const [what, all] of tookMs) {
    const sorted = all.toSorted((a, b) => a - b).map(Math.round)
    t.comment(
      `${what}: ${all.length} times, back after ${sorted[Math.floor(all.length / 2)]} ms, at most ${sorted.at(-1)} ms`,
    )
  }
  supervised.program.kill('SIGTERM')
  assert.deepEqual(await supervised.program.ended(), { code: 0, signal: null })
})
