import assert from 'node:assert/strict'
import { NEVER, Subject } from 'rxjs'
import { test } from 'tap'
import { addIpBlock, openIpBlocks } from '../../../src/moderation/ip_blocks/index.ts'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { createTestDatabase } from '../../support/database.ts'

test('a rule that is added during the start holds after it, in whichever order the reads end', async t => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 4 })
  t.after(() => database.close())
  const fail = (error: unknown): never => assert.fail(String(error))
  const here = await openIpBlocks(database, NEVER, fail)
  t.after(() => here.close())
  const events: LoggedEvent[] = []
  const subscription = database.committed$.subscribe(committed => events.push(...committed.events))
  t.after(() => subscription.unsubscribe())
  const readFirst = Promise.withResolvers<void>()
  const proceed = Promise.withResolvers<void>()
  const laterReads: Promise<unknown>[] = []
  const slowAtFirst: Database = {
    ...database,
    async run(query, parameters) {
      const reading = database.run(query, parameters)
      if (events.length > 0) {
        laterReads.push(reading)
        return reading
      }
      const rows = await reading
      readFirst.resolve()
      await proceed.promise
      return rows
    },
  }
  const applied = new Subject<LoggedEvent>()
  const starting = openIpBlocks(slowAtFirst, applied, fail)
  await readFirst.promise
  const rule = { ip: '192.0.2.0/24', severity: 'no_access', comment: '', expiresAt: null } as const
  await addIpBlock({ database, ipBlocks: here }, null, rule)
  for (const event of events) applied.next(event)
  // A read that has begun by now ends before the first.
  await Promise.all(laterReads)
  proceed.resolve()
  const policy = await starting
  t.after(() => policy.close())
  await policy.settled()
  assert.equal(policy.severityOf('192.0.2.7'), 'no_access')
})
