import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

test('settings are listed, read and changed', async t => {
  const ctl = await createCommandLine(t)
  assert.equal(await ctl.ok('settings', 'get', 'site_title'), 'Millrace\n')
  assert.equal(await ctl.ok('settings', 'set', 'site_title', 'The mill'), 'OK\n')
  assert.equal(await ctl.ok('settings', 'get', 'site_title'), 'The mill\n')
  await ctl.ok('settings', 'set', 'auto_follow_accounts', 'ada,bob@else.example')
  assert.equal(await ctl.ok('settings', 'get', 'auto_follow_accounts'), 'ada,bob@else.example\n')
  await ctl.ok('settings', 'set', 'timeline_preview', 'off')
  assert.equal(await ctl.ok('settings', 'get', 'local_live_feed_access'), 'authenticated\n')
  const all: unknown = JSON.parse(await ctl.ok('settings', 'list', '--json'))
  assert.equal(typeof all === 'object' && all !== null && 'site_title' in all && all.site_title, 'The mill')
  assert.match(await ctl.ok('settings', 'list'), /^SETTING +VALUE +MEANING\nregistrations_mode +"none" /)
  assert.deepEqual(await ctl.run('settings', 'set', 'trends', 'perhaps'), {
    code: 1,
    out: '',
    err: 'trends must be true or false, not "perhaps"\n',
  })
  assert.deepEqual(await ctl.run('settings', 'get', 'colour'), {
    code: 1,
    out: '',
    err: 'there is no setting "colour"\n',
  })
})

test('registrations are opened, set to approval and closed', async t => {
  const ctl = await createCommandLine(t)
  const stored = `select key, value from settings order by key`
  assert.equal(await ctl.ok('settings', 'registrations', 'approved', '--require-reason'), 'OK\n')
  assert.deepEqual(await ctl.sql(stored), [
    { key: 'registrations_mode', value: 'approved' },
    { key: 'require_invite_text', value: true },
  ])
  assert.equal(await ctl.ok('settings', 'registrations', 'close'), 'OK\n')
  assert.deepEqual((await ctl.sql(stored))[0], { key: 'registrations_mode', value: 'none' })
  assert.equal(await ctl.ok('settings', 'registrations', 'open'), 'OK\n')
  const [events] = await ctl.sql(`select count(*)::int as n from events where kind = 'settings.changed'`)
  assert.equal(events?.['n'], 3)
})

test('roles are created, changed and deleted', async t => {
  const ctl = await createCommandLine(t)
  assert.match(await ctl.ok('roles', 'list'), /^everyone .*invite_users$/m)
  const made = ['roles', 'create', 'Gardener', '--permissions', 'manage_reports,manage_users', '--position', '5']
  assert.equal(await ctl.ok(...made, '--color', '0a0', '--highlighted'), 'OK\n')
  const role = `select name, color, position, permissions, highlighted, require_2fa from roles where name = 'Gardener'`
  const expected = {
    name: 'Gardener',
    color: '#0a0',
    position: 5,
    permissions: '1040',
    highlighted: true,
    require_2fa: false,
  }
  assert.deepEqual(await ctl.sql(role), [expected])
  assert.equal((await ctl.run(...made)).err, 'There is a role with that name\n')
  await ctl.ok('roles', 'modify', 'Gardener', '--require-2fa', '--no-highlighted', '--permissions', '16')
  assert.deepEqual(await ctl.sql(role), [{ ...expected, require_2fa: true, highlighted: false, permissions: '16' }])
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed', '--role', 'Gardener')
  await ctl.ok('roles', 'delete', 'Gardener')
  assert.deepEqual(await ctl.sql('select role_id from users'), [{ role_id: null }])
  for (const [given, message] of [
    [['modify', 'everyone', '--permissions', 'administrator'], /not safe for the base role/],
    [['create', 'X', '--permissions', 'fly'], /^Unknown permission "fly"; the permissions are administrator, /],
    [['create', 'X', '--color', 'green'], /^Color is not a valid hex color\n$/],
    [['delete', 'everyone'], /^The base role cannot be deleted\n$/],
    [['delete', 'Nobody'], /^Cannot find user role with that name\n$/],
  ] as const) {
    const { code, err } = await ctl.run('roles', ...given)
    assert.equal(code, 1)
    assert.match(err, message)
  }
})

test('announcements are published, unpublished and deleted', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  const out = await ctl.ok('announcements', 'create', 'Ask @ada about #Tea at https://tea.example <3')
  const id = /^OK, announcement (\d+)\n$/.exec(out)?.[1] ?? ''
  const [row] = await ctl.sql('select content, published from announcements')
  assert.match(String(row?.['content']), /href="https:\/\/ctl\.example\/@ada" class="u-url mention"/)
  assert.match(String(row?.['content']), /href="https:\/\/ctl\.example\/tags\/Tea"/)
  assert.match(String(row?.['content']), /&lt;3<\/p>$/)
  assert.equal(row?.['published'], true)
  assert.match(await ctl.ok('announcements', 'list'), new RegExp(`^${id} +published +- +- +Ask @ada`, 'm'))
  await ctl.ok('announcements', 'unpublish', id)
  await ctl.ok('announcements', 'publish', id)
  await ctl.ok('announcements', 'delete', id)
  const kinds = await ctl.sql(`select kind from events where kind like 'announcement.%' order by id`)
  assert.deepEqual(
    kinds.map(event => event['kind']),
    ['announcement.published', 'announcement.deleted', 'announcement.published', 'announcement.deleted'],
  )
  assert.equal((await ctl.run('announcements', 'delete', id)).err, 'No such announcement\n')
  const late = ['announcements', 'create', 'Late', '--starts-at', '2030-01-02', '--ends-at', '2030-01-01']
  assert.equal((await ctl.run(...late)).err, '--ends-at must be after --starts-at\n')
  const both = ['announcements', 'create', 'Both', '--draft', '--publish-at', '2030-01-02']
  assert.equal((await ctl.run(...both)).err, 'Use either --draft or --publish-at\n')
  assert.equal((await ctl.run('announcements', 'edit', id, 'x')).err, 'No such announcement\n')
})
