import assert from 'node:assert/strict'
import { test } from 'tap'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { sql } from '../../support/people.ts'
import { entityOf, staff } from '../admin_api.ts'

test('of two reviews of a hashtag at the same moment each changes only what it names', async t => {
  const { server, admin } = await staff(t)
  const [tag] = await sql(server, `insert into tags (name, display_name) values ('cats', 'cats') returning id::text`)
  const path = `/api/v1/admin/tags/${String(tag?.['id'])}`
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from tags where id = $1 for update', [tag?.['id']])
  const first = admin.put(path, { usable: false })
  await waitForLocks(server, 1, first)
  const second = admin.put(path, { listable: false, display_name: 'Cats' })
  await waitForLocks(server, 2, first, second)
  await other.query('rollback')
  assert.deepEqual([(await first).status, (await second).status], [200, 200])
  const { name, usable, listable } = entityOf(await admin.get(path))
  assert.deepEqual({ name, usable, listable }, { name: 'Cats', usable: false, listable: false })
})
