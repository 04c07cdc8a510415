import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { createTestDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('npm run dev restarts after each change, also when the editor saves by renaming', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-dev-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['src', 'sql', 'package.json'])
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const { url: databaseUrl } = await createTestDatabase(t)
  const program = await startProgram(
    t,
    { DATABASE_URL: databaseUrl, DATA_DIR: path.join(folder, 'data') },
    { command: process.execPath, args: [path.join(folder, 'src/app/dev.ts')] },
  )
  const listens = async (): Promise<void> => {
    await program.logged('listening')
    assert.equal(await (await fetch(`${program.url}/health`)).text(), 'OK')
    program.log.length = 0
  }
  await listens()
  const file = path.join(folder, 'src/instance/health/operations.ts')
  for (let times = 0; times < 2; times += 1) {
    await writeFile(`${file}.new`, `${await readFile(file, 'utf8')}// ${times}\n`)
    await rename(`${file}.new`, file)
    await listens()
  }
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})
