import assert from 'node:assert/strict'
import { test } from 'tap'
import { forEachOrphan } from '../../../src/moderation/retention/index.ts'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { makeKey, type Storage } from '../../../src/platform/storage/index.ts'
import { sharedServer } from '../../support/server.ts'

const HOUR_MS = 3_600_000

test('a file that is stored during a comparison of hours is no orphan', async t => {
  const { databaseUrl } = await sharedServer()
  const database = openDatabase({ connection: { connectionString: databaseUrl }, poolSize: 1 })
  t.after(() => database.close())
  const clock = { ms: Date.now() }
  t.intercept(Date, 'now', { value: () => clock.ms })
  const [old = '', fresh = ''] = [makeKey('media', 'png'), makeKey('media', 'png')].toSorted()
  const storage: Pick<Storage, 'list'> = {
    async *list() {
      yield { key: old, modifiedAt: new Date(clock.ms - 2 * HOUR_MS) }
      const storedAt = clock.ms
      clock.ms += 3 * HOUR_MS
      yield { key: fresh, modifiedAt: new Date(storedAt) }
    },
  }
  const orphans: string[] = []
  await forEachOrphan(
    { database, storage: storage as Storage },
    () => undefined,
    async key => void orphans.push(key),
  )
  assert.deepEqual(orphans, [old])
})
