import assert from 'node:assert/strict'
import { test } from 'tap'
import { startGeneration } from '../../src/app/generation.ts'
import { readConfig } from '../../src/core/config.ts'
import { createLogger } from '../../src/core/logger.ts'

for (const [name, execPath, reason] of [
  ['an event', '/nonexistent/node', /spawn \/nonexistent\/node ENOENT/],
  ['an exception', '/nonexistent/\0', /must be a string without null bytes/],
] as const)
  test(`workers that cannot be started are tried again, and end no server: ${name}`, async t => {
    t.intercept(process, 'execPath', { value: execPath })
    const config = { ...readConfig({}), workers: 2, logLevel: 'silent' as const }
    const generation = startGeneration({
      config,
      connection: { connectionString: 'postgres://127.0.0.1:1/none' },
      logger: createLogger(config),
      receive: () => false,
    })
    await assert.rejects(generation.listening, ({ message }: Error) => {
      assert.match(message, /^worker \d ended before it listened \(/)
      assert.match(message, reason)
      return true
    })
    assert.deepEqual(generation.senders(), [])
    await generation.stop()
  })
