import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { execute } from '../support/database.ts'
import { ownInstallation, startInstalled } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'
import { startReader } from '../support/resuming_reader.ts'
import { assertComplete, keepPosting, untilAllPosted } from '../support/writers.ts'

/*
 * Short memory: allocations that PostgreSQL or the server is refused, processes that cannot be
 * started, and those that the kernel kills to have some again.
 */

const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0
const skip = !canLimit && 'there is no prlimit'

/** As the process's own user, who may limit it everywhere. */
function limit(pid: number, ...limits: string[]): void {
  const { uid, gid } = statSync(`/proc/${pid}`)
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), ...limits], { uid, gid, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** Refuses the process any more memory than it has now. */
const holdSize = (pid: number): void => {
  const [pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  limit(pid, `--as=${Number(pages) * 4096}:unlimited`)
}
/** A session may have ended for lack of it. */
const freeSize = (pid: number): void => {
  if (existsSync(`/proc/${pid}`)) limit(pid, '--as=unlimited')
}

/** Sessions of the server. */
const SESSIONS = `select pid from pg_stat_activity where application_name = 'millrace' and backend_type = 'client backend'`

/** Reads that no connection has prepared yet need memory for their plans. */
const READS = [
  '/api/v1/timelines/public',
  '/api/v1/notifications',
  '/api/v1/bookmarks',
  '/api/v1/favourites',
  '/api/v1/lists',
  '/api/v1/conversations',
  '/api/v1/follow_requests',
  '/api/v1/mutes',
  '/api/v1/blocks',
  '/api/v1/scheduled_statuses',
  '/api/v2/filters',
  '/api/v1/followed_tags',
  '/api/v2/search?q=number',
]

async function statusesOf(reader: Person, rounds: number): Promise<Set<number>> {
  const seen = new Set<number>()
  for (let round = 0; round < rounds; round += 1)
    for (const response of await Promise.all(READS.map(path => reader.get(path)))) seen.add(response.status)
  return seen
}

test('memory is short: 503 at worst, what was acknowledged is there, and it recovers', { skip }, async t => {
  const running = await startInstalled(t, ownInstallation, { workers: 2, databaseUrl: undefined })
  const { server, env, dataDir, program } = running
  const [reader, ada, ben] = await Promise.all(['reader', 'ada', 'ben'].map(name => person(server, name)))
  assert.ok(reader && ada && ben)
  for (const author of [ada, ben]) await reader.follow(author)
  const first = await reader.stream('user', { last_event_id: '' })
  await ada.postStatus('before')
  const { id: from = '' } = await first.next('update')
  await first.close()
  const one = await startReader(t, server, reader, { stream: 'user', from, transport: 'websocket', fromAny: true })
  const writers = [ada, ben].map(keepPosting)
  t.after(() => writers.forEach(writer => writer.abandon()))
  const posted = async (what: string): Promise<number> => Math.round(await untilAllPosted(writers, what))
  await posted('nothing')
  const sessions = async (): Promise<number[]> =>
    (await execute(server.databaseUrl, SESSIONS)).map(({ pid }) => Number(pid))

  // Sessions get no more memory.
  const held = await sessions()
  for (const pid of held) holdSize(pid)
  const seen = await statusesOf(reader, 3)
  for (const pid of held) freeSize(pid)
  t.comment(`answers while PostgreSQL has no memory: ${[...seen].join(', ')}`)
  assert.ok(seen.has(503), 'memory was not short')
  assert.deepEqual(
    [...seen].filter(status => status !== 200 && status !== 503),
    [],
  )
  assert.deepEqual([...(await statusesOf(reader, 1))], [200])
  t.comment(`posts after ${await posted('short memory of PostgreSQL')} ms`)

  // PostgreSQL can start no process: connections that end are not replaced.
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const [, before = ''] = /^Max processes\s+(\S+)/m.exec(readFileSync(`/proc/${postmaster}/limits`, 'utf8')) ?? []
  const ended = await sessions()
  limit(postmaster, '--nproc=1:')
  for (const pid of ended) process.kill(pid, 'SIGTERM')
  // Some are answered from memory.
  const without = await statusesOf(reader, 1)
  assert.ok(without.has(503))
  assert.ok([...without].every(status => status === 200 || status === 503))
  limit(postmaster, `--nproc=${before}:`)
  t.comment(`posts after ${await posted('sessions that cannot start')} ms`)

  // The kernel kills a session: PostgreSQL then ends all of them, and recovers.
  const [victim = 0] = await sessions()
  process.kill(victim, 'SIGKILL')
  t.comment(`posts after ${await posted('the death of a session')} ms`)

  // A worker gets no more memory, and ends.
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(program.pid)], { encoding: 'utf8' })
  const worker = Number.parseInt(children.split('\n').find(line => line.includes('worker.ts')) ?? '', 10)
  holdSize(worker)
  await program.logged('a worker exited; restarting it')
  t.comment(`posts after ${await posted('the death of a worker')} ms`)

  await Promise.all(writers.map(writer => writer.stop()))
  const { id: last } = await ada.postStatus('the last')
  assert.deepEqual(
    writers.flatMap(({ wrong }) => wrong),
    [],
  )
  await assertComplete(one, last, writers)
  const check = await ownInstallation.ctl(env, 'check')
  assert.equal(check.code, 0, check.output + check.errors)
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})
