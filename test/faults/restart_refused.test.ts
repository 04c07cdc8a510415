import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createTestDatabase, execute } from '../support/database.ts'
import { copyInstallation, startInstalled } from '../support/installation.ts'
import { person } from '../support/people.ts'

const SERVE_ON = 'the restart failed; the present processes serve on'

test('what cannot take over is refused with the reason, and the server serves on as before', async t => {
  const installation = copyInstallation(t)
  const { url } = await createTestDatabase(t)
  const running = await startInstalled(t, installation, { workers: 1, databaseUrl: url })
  const { program, server, env, envFile, dataDir } = running
  const alice = await person(server, 'alice')
  const at = (file: string): string => join(installation.folder, file)
  const state = 'select count(*)::int as migrations, max(applied_at)::text as latest from migrations'
  const before = await execute(url, state)

  async function refused(reason: RegExp): Promise<void> {
    // The command line would refuse a wrong ENV_FILE itself.
    const { code, output, errors } = await installation.ctl({ DATA_DIR: dataDir }, 'restart')
    assert.deepEqual([code, output], [1, ''], errors)
    assert.match(errors, /^The server serves on as before: [^\n]+\n$/)
    assert.match(errors, reason)
    await alice.postStatus('as before')
    assert.deepEqual(await execute(url, state), before)
  }

  const settings = readFileSync(envFile, 'utf8')
  writeFileSync(envFile, `${settings}LOG_LEVEL=loud\n`)
  await refused(/LOG_LEVEL must be one of/)
  writeFileSync(envFile, settings)
  writeFileSync(at('sql/migrations/9998_fine.sql'), 'create table fine ();')
  writeFileSync(at('sql/migrations/9999_broken.sql'), 'create table broken ();\nselekt 1;')
  await refused(/9999_broken\.sql:2:1: syntax error at or near "selekt"/)
  rmSync(at('sql/migrations/9999_broken.sql'))
  const version = readFileSync(at('package.json'), 'utf8')
  const source = readFileSync(at('src/app/worker.ts'), 'utf8')
  writeFileSync(at('src/platform/http/server.ts'), 'this is no program')
  await refused(/the new code does not start \(1\): .*(Syntax|Invalid|Expected|Unexpected)/)
  writeFileSync(at('src/platform/http/server.ts'), readFileSync('src/platform/http/server.ts'))
  assert.equal(program.log.filter(({ msg }) => msg === SERVE_ON).length, 3)

  // Migrated by what prepares the restart, though the workers then fail: it is compatible.
  writeFileSync(at('src/app/worker.ts'), `throw new Error('not today')`)
  const failed = await installation.ctl(env, 'restart')
  assert.equal(failed.code, 1)
  assert.match(failed.errors, /the new processes failed: worker 0 ended before it listened \(1\)/)
  await alice.postStatus('still there')
  writeFileSync(at('src/app/worker.ts'), source)
  writeFileSync(at('package.json'), version.replace(/"version": "[^"]+"/, '"version": "99.0.0"'))
  program.kill('SIGUSR2')
  await program.logged('the previous processes have ended')
  const { json } = await alice.get('/api/v2/instance')
  assert.match((json as { version: string }).version, /99\.0\.0$/)
  assert.deepEqual(await execute(url, `select to_regclass('fine')::text as fine`), [{ fine: 'fine' }])
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })

  const nobody = await installation.ctl(env, 'restart')
  assert.deepEqual([nobody.code, nobody.errors], [1, `No server runs with DATA_DIR ${dataDir}\n`])
})
