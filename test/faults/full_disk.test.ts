import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { ownInstallation, startInstalledIn } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'

/* A disk without space, of which only root can make one. */

const SIZE = '400m'
const TRIES = 400
/** The supervisor of PostgreSQL tries again after half a minute at most. */
const RECOVERY_MS = 90_000

function mountSmall(t: Test): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-full-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0711`, 'millrace', folder])
  t.after(async () => {
    if (status === 0) {
      await stopAbandoned(join(folder, 'data'), () => {})
      spawnSync('umount', ['--lazy', folder])
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return status === 0 ? folder : undefined
}

/** Writes a file until nothing fits any more. */
function fill(folder: string, name = 'filler'): string {
  const { bavail, bsize } = statfsSync(folder)
  const file = join(folder, name)
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // PostgreSQL took some of it meanwhile.
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
  return file
}

const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)

/** PostgreSQL's small file that each new connection needs, and makes again; a vacuum removes it. */
function removeConnectionFiles(dataDir: string): void {
  const found = globSync(join(dataDir, 'postgres', '{global,base/*}', 'pg_internal.init'))
  assert.ok(found.length > 1, 'PostgreSQL has no such files')
  for (const file of found) rmSync(file)
}

/** Waits until the server has space in reserve. */
async function reserved(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres.reserve')
  const changes = watch(dataDir)
  while (!existsSync(file)) await changes.next()
}

/** A server with a post, on a full disk of its own with a reserve; undefined: no mount. */
async function startOnFullDisk(t: Test) {
  const disk = mountSmall(t)
  if (disk === undefined) {
    t.plan(0, 'this system does not mount')
    return undefined
  }
  const dataDir = join(disk, 'data')
  const { server, program, env } = await startInstalledIn(t, ownInstallation, dataDir)
  await reserved(dataDir)
  const alice = await person(server, 'alice')
  const posted = [(await alice.postStatus('before')).id]
  return { disk, dataDir, program, env, alice, posted, fillers: [fill(disk)] }
}

/** Posts until one is refused. @returns the ids of those that were acknowledged */
async function postUntilRefused(author: Person): Promise<string[]> {
  const posted: string[] = []
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { status, json, text } = await author.post('/api/v1/statuses', { status: `${tries} ${'x'.repeat(400)}` })
    if (status === 503) return posted
    assert.equal(status, 200, text)
    posted.push((json as { id: string }).id)
  }
  throw new Error('the disk was not full')
}

async function allThere(reader: Person, posted: readonly string[]): Promise<void> {
  for (const id of posted) assert.equal((await reader.get(`/api/v1/statuses/${id}`)).status, 200)
}

/** Posts until it is acknowledged, as a client with a queue does; everything else is a 503. */
async function postAtLast(author: Person, status: string): Promise<string> {
  const began = performance.now()
  for (;;) {
    const response = await author.post('/api/v1/statuses', { status }, { 'idempotency-key': status })
    if (response.status === 200) return (response.json as { id: string }).id
    assert.equal(response.status, 503, response.text)
    assert.ok(performance.now() - began < RECOVERY_MS, 'nobody can post though there is space')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const skip = process.getuid?.() !== 0 && 'only root can make a small disk'

test('a full disk: writes are refused, reads and ctl go on, and it recovers without help', { skip }, async t => {
  const started = await startOnFullDisk(t)
  if (!started) return
  const { disk, dataDir, program, env, alice, posted, fillers } = started
  posted.push(...(await postUntilRefused(alice)))
  assert.equal((await alice.get('/api/v1/timelines/home')).status, 200)
  removeConnectionFiles(dataDir)
  const accounts = await ownInstallation.ctl(env, 'accounts', 'list')
  assert.deepEqual([accounts.code, accounts.errors], [0, ''])
  assert.match(accounts.output, /^alice_/m)
  const media = await ownInstallation.ctl(env, 'media', 'usage')
  assert.equal(media.code, 0, media.errors)
  const file = join(disk, 'backup.tar.gz')
  fillers.push(fill(disk, 'more'))
  const backup = await ownInstallation.ctl(env, 'backup', file)
  assert.equal(backup.code, 1)
  assert.match(backup.errors, /The disk is full, free some space first: [^\n]+\n$/)
  assert.equal(existsSync(file), false)

  for (const filler of fillers) rmSync(filler)
  posted.push((await alice.postStatus('after')).id)
  await allThere(alice, posted)
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})

test(
  'PostgreSQL dies while the disk is full: it starts from the reserve, later when there is space',
  { skip },
  async t => {
    const started = await startOnFullDisk(t)
    if (!started) return
    const { disk, dataDir, program, env, alice, posted, fillers } = started
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await program.logged('embedded PostgreSQL was restarted')
    await allThere(alice, posted)
    removeConnectionFiles(dataDir)
    // While it is stopped it cannot restart PostgreSQL before the disk is full.
    process.kill(program.pid, 'SIGSTOP')
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    // Not before: until then PostgreSQL frees what its recovery no longer needs.
    fillers.push(fill(disk, 'more'))
    process.kill(program.pid, 'SIGCONT')
    await program.logged('could not restart the embedded PostgreSQL; trying again later')
    const away = await alice.post('/api/v1/statuses', { status: 'meanwhile' })
    assert.equal(away.status, 503, away.text)
    for (const filler of fillers) rmSync(filler)
    posted.push(await postAtLast(alice, 'after'))
    await allThere(alice, posted)
    const check = await ownInstallation.ctl(env, 'check')
    assert.equal(check.code, 0, check.output + check.errors)
    program.kill('SIGTERM')
    assert.deepEqual(await program.ended(), { code: 0, signal: null })
  },
)

test(
  'the server and PostgreSQL start while the disk is full: from the reserve, else refused in words',
  { skip },
  async t => {
    const started = await startOnFullDisk(t)
    if (!started) return
    const { disk, dataDir, program: first, env, alice, posted, fillers } = started
    const restart = () => startProgram(t, { ...env, PORT: new URL(first.url).port }, ownInstallation.server)
    posted.push(...(await postUntilRefused(alice)))
    const killAll = async (program: Program): Promise<void> => {
      program.kill('SIGKILL')
      process.kill(postmasterOf(dataDir), 'SIGKILL')
      await program.exited()
    }
    await killAll(first)

    const second = await restart()
    await second.logged('listening')
    await allThere(alice, posted)
    fillers.push(fill(disk, 'more'))
    posted.push(...(await postUntilRefused(alice)))
    await killAll(second)
    rmSync(join(dataDir, 'postgres', 'postmaster.pid'))
    fillers.push(fill(disk, 'still more'))

    for (let tries = 0; tries < 3; tries += 1) {
      const refused = await restart()
      assert.deepEqual(await refused.ended(), { code: 1, signal: null })
      assert.match(refused.errors, /^The disk of [^\n]* is full, free some space first: [^\n]+\n$/)
      const ctl = await ownInstallation.ctl(env, 'accounts', 'list')
      assert.equal(ctl.code, 1)
      assert.match(ctl.errors, /^The disk of [^\n]* is full, free some space first: [^\n]+\n$/)
    }
    for (const filler of fillers) rmSync(filler)
    const third = await restart()
    await third.logged('listening')
    posted.push((await alice.postStatus('after')).id)
    await allThere(alice, posted)
    const check = await ownInstallation.ctl(env, 'check')
    assert.equal(check.code, 0, check.output + check.errors)
    third.kill('SIGTERM')
    assert.deepEqual(await third.ended(), { code: 0, signal: null })
  },
)
