import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { createTestDatabase } from '../support/database.ts'
import { copyInstallation } from '../support/installation.ts'
import { person } from '../support/people.ts'
import { startProgram } from '../support/program.ts'

test('a server that runs does not depend on the SQL files, which an upgrade replaces', async t => {
  const installation = copyInstallation(t)
  const { url } = await createTestDatabase(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-replaced-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'debug' }
  const program = await startProgram(t, env, installation.server)
  await program.logged('all statements were read')
  rmSync(join(installation.folder, 'sql/queries'), { recursive: true })
  const alice = await person({ url: program.url, databaseUrl: url }, 'alice')
  const { id } = await alice.postStatus('on the old files')
  for (const path of [
    '/api/v1/timelines/home',
    `/api/v1/statuses/${id}/history`,
    '/api/v1/lists',
    '/api/v1/accounts/familiar_followers?id[]=1',
    '/api/v1/follow_requests',
    '/api/v2/notifications',
  ])
    assert.equal((await alice.get(path)).status, 200, path)
})
