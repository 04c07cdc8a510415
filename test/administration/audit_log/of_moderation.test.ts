import assert from 'node:assert/strict'
import { test } from 'tap'
import { moderationActions } from '../staff_actions_moderation.ts'
import { walk } from '../staff_walk.ts'

test('the audit log has every moderation action of the staff', async t => {
  assert.deepEqual(await walk(t, moderationActions), [])
})
