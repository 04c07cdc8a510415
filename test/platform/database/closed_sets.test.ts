import assert from 'node:assert/strict'
import { test } from 'tap'
import { ACTIONS, CONTEXTS } from '../../../src/statuses/filters/errors.ts'
import { REPLIES_POLICIES } from '../../../src/timelines/lists/list.ts'
import { ACCOUNT_ACTIONS, STATUS_ACTIONS } from '../../../src/moderation/action.ts'
import { MAIL_TYPES } from '../../../src/notifications/email/type.ts'
import { NOTIFICATION_TYPES } from '../../../src/notifications/type.ts'
import { REPORT_CATEGORIES } from '../../../src/moderation/reports/category.ts'
import { createTestDatabase, execute } from '../../support/database.ts'

const SETS: Readonly<Record<string, readonly string[]>> = {
  account_warnings_action_check: [...ACCOUNT_ACTIONS, ...STATUS_ACTIONS],
  filters_action_check: ACTIONS,
  filters_contexts_check: CONTEXTS,
  lists_replies_policy_check: REPLIES_POLICIES,
  notifications_type_check: NOTIFICATION_TYPES,
  reports_category_check: REPORT_CATEGORIES,
  users_mail_types_check: MAIL_TYPES,
}

test('the database accepts exactly the values that the code knows', async t => {
  const { url } = await createTestDatabase(t)
  const rows = await execute(
    url,
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'`,
  )
  const definitions = new Map(rows.map(row => [String(row['name']), String(row['definition'])]))
  for (const [name, values] of Object.entries(SETS)) {
    const taken = [...(definitions.get(name) ?? '').matchAll(/'([^']+)'::text/g)].map(found => found[1] ?? '')
    assert.deepEqual(new Set(taken), new Set(values), name)
  }
})
