import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { identifyProcess } from '../../src/platform/database/embedded/process.ts'
import { chooseTemporaryFolder } from '../support/cluster.ts'
import { startProgram } from '../support/program.ts'

/* Supervisors (systemd, containers) signal the process that they started, which is npm. */

const shells = [
  ...new Set(['/bin/sh', '/bin/dash', '/bin/bash'].filter(path => existsSync(path)).map(path => realpathSync(path))),
]
const skip = spawnSync('npm', ['--version']).status !== 0 && 'npm is not installed'

for (const shell of shells) {
  for (const signal of ['SIGTERM', 'SIGINT', 'Ctrl-C'] as const) {
    test(`${signal} to npm start ends the server and its PostgreSQL, with ${shell}`, { skip }, async t => {
      const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-npm-'))
      t.after(async () => {
        await stopAbandoned(folder, () => {})
        rmSync(folder, { recursive: true, force: true })
      })
      const given = ['start', '--silent', '--no-update-notifier', `--script-shell=${shell}`]
      const program = await startProgram(t, { DATA_DIR: folder, HOME: folder }, { command: 'npm', args: given })
      await program.logged('listening')
      const health = await fetch(`${program.url}/health`)
      assert.equal(health.status, 200)
      await health.text()
      const file = join(folder, 'postgres', 'postmaster.pid')
      const postgres = Number.parseInt(readFileSync(file, 'utf8'), 10)

      // A terminal signals all its processes, and npm forwards its signal.
      if (signal === 'Ctrl-C') program.interrupt()
      else program.kill(signal)
      const ended = await program.exited()
      await assert.rejects(fetch(`${program.url}/health`), 'the server runs on')
      assert.equal(identifyProcess(postgres), null, 'PostgreSQL runs on')
      assert.equal(existsSync(file), false, 'PostgreSQL was not shut down in order')
      assert.deepEqual(ended, { code: 0, signal: null })
      await program.ended()
      assert.ok(program.log.some(({ msg }) => msg === 'stopped'))
    })
  }
}
