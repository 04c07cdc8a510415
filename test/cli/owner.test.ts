import assert from 'node:assert/strict'
import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { createTestDatabase } from '../support/database.ts'
import { runHere } from './command.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Any user that is not root; it needs no name. */
const OWNER = 54_321

const skip = process.getuid?.() !== 0 && 'only root makes files for others'

test('what ctl writes into the data folder as root belongs to the owner of the folder', { skip }, async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-owner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const picture = path.join(folder, 'picture.png')
  await writeFile(picture, PIXEL)
  const { url } = await createTestDatabase(t)
  const dataDir = await mkdtemp(path.join(folder, 'data-'))
  await chown(dataDir, OWNER, OWNER)
  const ctl = async (...given: string[]): Promise<void> => {
    const { code, err } = await runHere(given, { DATABASE_URL: url, DATA_DIR: dataDir })
    assert.deepEqual({ code, err: code === 0 ? '' : err }, { code: 0, err: '' }, given.join(' '))
  }
  await ctl('mail', 'test', 'ada@example.com')
  await ctl('pictures', 'set', 'thumbnail', picture)
  await ctl('backup', path.join(folder, 'backup.tar.gz'))
  const made = await readdir(dataDir, { recursive: true })
  assert.ok(made.some(file => file.endsWith('.eml')) && made.some(file => file.startsWith('media/')), made.join(', '))
  for (const file of made) {
    const { uid, gid } = await stat(path.join(dataDir, file))
    assert.deepEqual([file, uid, gid], [file, OWNER, OWNER])
  }
})
