import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { execute } from '../support/database.ts'
import { ownInstallation, startInstalled, type Running } from '../support/installation.ts'
import { person } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'
import { startReader } from '../support/resuming_reader.ts'
import { assertComplete, keepPosting, untilAllPosted } from '../support/writers.ts'

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
  t.after(() => writers.forEach(writer => writer.abandon()))
  await untilAllPosted(writers, 'nobody')
  const tookMs = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const victims = VICTIMS[round % VICTIMS.length] ?? VICTIMS[0]
    const what = `the death of ${victims.join(' and ')}`
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
