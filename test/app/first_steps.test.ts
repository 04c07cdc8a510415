import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import pino from 'pino'
import { test } from 'tap'
import { showFirstSteps } from '../../src/app/first_steps.ts'
import { readConfig } from '../../src/core/config.ts'
import { createTestDatabase } from '../support/database.ts'

test('a database that fails just after the start costs the hints, not the server', async t => {
  const { url, drop } = await createTestDatabase()
  t.after(drop)
  const connection = { connectionString: url.replace(/\/[^/?]*(?=\?|$)/, '/not_there') }
  for (const isTTY of [true, false]) {
    const lines: { level: number; msg: string }[] = []
    const logger = pino(
      new Writable({
        write(line: Buffer, _encoding, done) {
          lines.push(JSON.parse(line.toString()) as { level: number; msg: string })
          done()
        },
      }),
    )
    let shown = ''
    const terminal = { isTTY, write: (text: string) => (shown += text) }
    await showFirstSteps(readConfig({}), { connection, url: 'http://127.0.0.1' }, logger, terminal)
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [[40, 'could not find out whether there is an owner; `ctl owner-link` does']],
    )
    assert.equal(shown, '')
  }
})
