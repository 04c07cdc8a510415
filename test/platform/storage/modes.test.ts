import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { makeKey, openFolder, SOURCES } from '../../../src/platform/storage/index.ts'
import { entity, picture, upload } from '../../media/attachments/media_fixtures.ts'
import { people } from '../../support/people.ts'
import { startProgram } from '../../support/program.ts'

const withoutModes = process.platform === 'win32' && 'files have no modes'
const bits = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8)

/** The paths in a folder that others than the owner may read, write or enter. */
async function openBelow(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const { mode } = await lstat(path.join(folder, name)).catch(() => ({ mode: 0 }))
    if ((mode & 0o077) !== 0) found.push(`${name} ${(mode & 0o777).toString(8)}`)
  }
  return found
}

test('a server with an embedded database writes files for its owner only', { skip: withoutModes }, async t => {
  const parent = await mkdtemp(path.join(tmpdir(), 'millrace-modes-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  // Others may enter it, because PostgreSQL has another user when this runs as root.
  await chmod(parent, 0o711)
  const folder = path.join(parent, 'data')
  const program = await startProgram(t, { DATA_DIR: folder })
  await program.logged('listening')
  assert.equal(await bits(folder), process.getuid?.() === 0 ? '711' : '700')
  const found = await openBelow(folder)
  assert.deepEqual(
    found.filter(name => !name.includes('.s.PGSQL')),
    [],
  )
  program.kill('SIGTERM')
  await program.ended()
})

test('uploaded files are for the owner only', { skip: withoutModes }, async t => {
  const { alice, server } = await people(t, 'alice')
  entity(await upload(alice, 'v2', await picture(20, 20).png().toBuffer()))
  const { dataDir } = server.config
  assert.equal(await bits(path.join(dataDir, 'media')), '700')
  assert.deepEqual(await openBelow(dataDir), [])
})

test('new files have the group permissions of the media folder', { skip: withoutModes }, async t => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-modes-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const root = path.join(dataDir, 'media')
  await mkdir(root)
  await chmod(root, 0o750)
  const storage = openFolder({ dataDir, mediaUrl: 'http://127.0.0.1/media' })
  const [key, moved, source] = [makeKey('media', 'png'), makeKey('media', 'png'), makeKey(SOURCES, 'bin')]
  await storage.put(key, Buffer.from('x'), 'image/png')
  await storage.put(source, Buffer.from('x'), 'application/octet-stream')
  const file = path.join(dataDir, 'file')
  await writeFile(file, 'x', { mode: 0o644 })
  await storage.putFile(moved, file, 'image/png')
  assert.equal(await bits(path.join(root, key)), '640')
  assert.equal(await bits(path.join(root, moved)), '640')
  assert.equal(await bits(path.dirname(path.join(root, key))), '750')
  assert.equal(await bits(path.join(root, 'media')), '750')
  assert.equal(await bits(path.join(root, source)), '600')
  assert.equal(await bits(path.join(root, SOURCES)), '700')
})
