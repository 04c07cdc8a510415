import assert from 'node:assert/strict'
import { test } from 'tap'
import { siteActions } from '../staff_actions_site.ts'
import { walk } from '../staff_walk.ts'

test('the audit log has every administration action of the staff', async t => {
  assert.deepEqual(await walk(t, siteActions), [])
})
