import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../cli/command.ts'

test('presets of warnings are created, changed and deleted, each with a log entry', async t => {
  const ctl = await createCommandLine(t)
  const out = await ctl.ok('warning-presets', 'create', ' Be kind. ', '--title', 'Kindness')
  const id = /^OK, preset (\d+)\n$/.exec(out)?.[1] ?? ''
  assert.match(await ctl.ok('warning-presets', 'list'), new RegExp(`^${id} +Kindness +Be kind\\.$`, 'm'))
  await ctl.ok('warning-presets', 'modify', id, '--text', 'Be kinder.')
  assert.match(await ctl.ok('warning-presets', 'list'), new RegExp(`^${id} +Kindness +Be kinder\\.$`, 'm'))
  for (const [given, message] of [
    [['create', ' '], "Text can't be blank\n"],
    [['create', 'x'.repeat(10_001)], 'Text is too long (maximum is 10000 characters)\n'],
    [['create', 'x', '--title', 'x'.repeat(256)], 'Title is too long (maximum is 255 characters)\n'],
    [['modify', '999999', '--text', 'x'], 'No such preset\n'],
    [['delete', 'x'], 'No such preset\n'],
  ] as const) {
    const { code, err } = await ctl.run('warning-presets', ...given)
    assert.deepEqual([code, err], [1, message])
  }
  await ctl.ok('warning-presets', 'delete', id)
  assert.deepEqual(await ctl.sql('select action, target_type, target_name from admin_action_logs order by id'), [
    { action: 'create', target_type: 'AccountWarningPreset', target_name: 'Kindness' },
    { action: 'update', target_type: 'AccountWarningPreset', target_name: 'Kindness' },
    { action: 'destroy', target_type: 'AccountWarningPreset', target_name: 'Kindness' },
  ])
})
