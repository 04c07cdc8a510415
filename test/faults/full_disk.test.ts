import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { ownInstallation, startInstalledIn } from '../support/installation.ts'
import { person } from '../support/people.ts'

/* A disk without space, of which only root can make one. */

const SIZE = '256m'
const TRIES = 400

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
