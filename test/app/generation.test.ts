import assert from 'node:assert/strict'
import { test } from 'tap'
import { startGeneration } from '../../src/app/generation.ts'
import { readConfig } from '../../src/core/config.ts'
import { createLogger } from '../../src/core/logger.ts'

test('workers that cannot be started are tried again, and end no server', async t => {
  t.intercept(process, 'execPath', { value: '/nonexistent/node' })
  const config = { ...readConfig({}), workers: 2, logLevel: 'silent' as const }
  const generation = startGeneration({
    config,
    connection: { connectionString: 'postgres://127.0.0.1:1/none' },
    logger: createLogger(config),
    receive: () => false,
  })
  await assert.rejects(generation.listening, /worker \d ended before it listened \(spawn \/nonexistent\/node ENOENT\)/)
  assert.deepEqual(generation.senders(), [])
  await generation.stop()
})
