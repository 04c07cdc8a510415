import assert from 'node:assert/strict'
import { test } from 'tap'
import { upkeepActions } from '../staff_actions_upkeep.ts'
import { walk } from '../staff_walk.ts'

test('the audit log has every removal of copies and all upkeep by the staff', async t => {
  assert.deepEqual(await walk(t, upkeepActions), [])
})
