import assert from 'node:assert/strict'
import { test } from 'tap'
import { siteActions } from '../staff_actions_site.ts'
import { walk } from '../staff_walk.ts'

test('the audit log has every action of the staff: site', async t => {
  assert.deepEqual(await walk(t, siteActions), [])
})
