import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { ownInstallation, startInstalledIn } from '../support/installation.ts'
import { person, type Person } from '../support/people.ts'

/* A disk without space, of which only root can make one. */

const SIZE = '256m'
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
function fill(folder: string): string {
  const file = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(file, Buffer.alloc(bavail * bsize))
  return file
}

const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)

/** Posts until it is acknowledged, as a client with a queue does; everything else is a 503. */
async function postAtLast(author: Person, status: string): Promise<string> {
  const began = performance.now()
  for (;;) {
    const answer = await author.post('/api/v1/statuses', { status }, { 'idempotency-key': status })
    if (answer.status === 200) return (answer.json as { id: string }).id
    assert.equal(answer.status, 503, answer.text)
    assert.ok(performance.now() - began < RECOVERY_MS, 'nobody can post though there is space')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const skip = process.getuid?.() !== 0 && 'only root can make a small disk'

test('a full disk: writes are refused, reads and ctl go on, and it recovers without help', { skip }, async t => {
  const disk = mountSmall(t)
  if (disk === undefined) return t.plan(0, 'this system does not mount')
  const { server, program, env } = await startInstalledIn(t, ownInstallation, join(disk, 'data'))
  const alice = await person(server, 'alice')
  const posted = [(await alice.postStatus('before')).id]
  const filler = fill(disk)

  const body = 'x'.repeat(400)
  let refused = false
  for (let tries = 0; !refused && tries < TRIES; tries += 1) {
    const { status, json, text } = await alice.post('/api/v1/statuses', { status: `${tries} ${body}` })
    if (status === 200) posted.push((json as { id: string }).id)
    else assert.equal(status, 503, text)
    refused = status === 503
  }
  assert.ok(refused, 'the disk was not full')
  assert.equal((await alice.get('/api/v1/timelines/home')).status, 200)
  const accounts = await ownInstallation.ctl(env, 'accounts', 'list')
  assert.deepEqual([accounts.code, accounts.errors], [0, ''])
  assert.match(accounts.output, /^alice_/m)
  const media = await ownInstallation.ctl(env, 'media', 'usage')
  assert.equal(media.code, 0, media.errors)
  const file = join(disk, 'backup.tar.gz')
  const backup = await ownInstallation.ctl(env, 'backup', file)
  assert.equal(backup.code, 1)
  assert.match(backup.errors, /The disk is full, free some space first: [^\n]+\n$/)
  assert.equal(existsSync(file), false)

  rmSync(filler)
  posted.push((await alice.postStatus('after')).id)
  for (const id of posted) assert.equal((await alice.get(`/api/v1/statuses/${id}`)).status, 200)
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})

test('PostgreSQL dies while the disk is full: it starts again when there is space', { skip }, async t => {
  const disk = mountSmall(t)
  if (disk === undefined) return t.plan(0, 'this system does not mount')
  const dataDir = join(disk, 'data')
  const { server, program, env } = await startInstalledIn(t, ownInstallation, dataDir)
  const alice = await person(server, 'alice')
  const posted = [(await alice.postStatus('before')).id]

  const filler = fill(disk)
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await program.logged('could not restart the embedded PostgreSQL; trying again later')
  const away = await alice.post('/api/v1/statuses', { status: 'meanwhile' })
  assert.equal(away.status, 503, away.text)
  rmSync(filler)
  posted.push(await postAtLast(alice, 'after'))
  for (const id of posted) assert.equal((await alice.get(`/api/v1/statuses/${id}`)).status, 200)
  const check = await ownInstallation.ctl(env, 'check')
  assert.equal(check.code, 0, check.output + check.errors)
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})
