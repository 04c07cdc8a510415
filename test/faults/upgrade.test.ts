import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { createTestDatabase, execute } from '../support/database.ts'
import { startProgram, type ProgramCommand } from '../support/program.ts'

const LOADER = ['--import', './src/app/type_stripping/load.js']
const MIGRATE: ProgramCommand = { command: process.execPath, args: [...LOADER, 'src/cli/main.ts', 'migrate'] }

test('a database of a newer release is refused in words, with the exit code that is not tried again', async t => {
  const { url } = await createTestDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-upgrade-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await execute(url, `insert into migrations (name, checksum) values ('9999_later', 'of a later release')`)
  const state = `select count(*)::int as count, max(applied_at)::text as latest from migrations`
  const before = await execute(url, state)
  for (const command of [undefined, MIGRATE]) {
    const program = await startProgram(t, { DATABASE_URL: url, DATA_DIR: folder }, command)
    assert.deepEqual(await program.ended(), { code: 78, signal: null })
    const lines = program.errors.trimEnd().split('\n')
    assert.equal(lines.length, 1, program.errors)
    assert.match(program.errors, /^the database is of a newer release than this one, which does not know 9999_later: /)
    assert.match(program.errors, /install that release or a later one again, or restore a backup/)
  }
  assert.deepEqual(await execute(url, state), before)
})
