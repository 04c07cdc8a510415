import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

test('rules about domains are exported, changed and imported', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('domains', 'block', 'far.example', '--severity', 'silence', '--public-comment', 'loud, rude')
  await ctl.ok('domains', 'change', 'far.example', '--severity', 'suspend', '--reject-media')
  const csv = await ctl.ok('domains', 'export')
  assert.match(csv, /^#domain,#severity.*\nfar\.example,suspend,true,false,"loud, rude",false\n$/)
  assert.match((await ctl.run('domains', 'change', 'other.example')).err, /There is no rule about other\.example/)
  const file = path.join(ctl.folder, 'rules.csv')
  await writeFile(file, `${csv}near.example,silence,false,false,,false\nnot a domain,silence,,,,\n`)
  assert.equal(await ctl.ok('domains', 'import', file), 'Added 1, skipped 1, failed 1\n')
  assert.match(await ctl.ok('domains', 'list'), /near\.example +silence/)
  assert.equal(await ctl.ok('domains', 'import', file, '--allows'), 'Added 2, skipped 0, failed 1\n')
  assert.equal(await ctl.ok('domains', 'export', '--allows'), '#domain\nfar.example\nnear.example\n')
  assert.match((await ctl.run('domains', 'import', '/nowhere')).err, /cannot be read/)
})

test('notes, reports, jobs and presets are managed by commands', async t => {
  const ctl = await createCommandLine(t)
  for (const name of ['alice', 'bob'])
    await ctl.ok('accounts', 'create', name, '--email', `${name}@example.com`, '--confirmed')
  const [report] = await ctl.sql(
    `insert into reports (account_id, target_account_id, category, comment, status_ids)
     select a.id, b.id, 'other', 'x', '{}' from accounts a, accounts b where a.username = 'alice' and b.username = 'bob' returning id::text`,
  )
  const id = String(report?.['id'])
  assert.match((await ctl.run('reports', 'assign', id, 'alice')).err, /may not manage reports/)
  await ctl.ok('accounts', 'modify', 'alice', '--role', 'Moderator')
  await ctl.ok('reports', 'assign', id, 'alice')
  assert.match(await ctl.ok('reports', 'list'), /open, alice/)
  assert.match((await ctl.run('reports', 'categorize', id, 'violation')).err, /valid rules/)
  await ctl.ok('reports', 'resolve', id)
  await ctl.ok('reports', 'reopen', id)
  await ctl.ok('reports', 'unassign', id)
  assert.match(await ctl.ok('reports', 'show', id), /, open,/)

  await ctl.ok('notes', 'add', 'report', id, 'a word')
  await ctl.ok('notes', 'add', 'account', 'bob', 'another word')
  assert.match(await ctl.ok('notes', 'list', 'report', id), / - +a word/)
  assert.match((await ctl.run('notes', 'add', 'account', 'bob', ' ')).err, /can't be blank/)
  assert.match((await ctl.run('notes', 'add', 'account', 'nobody', 'x')).err, /No such account/)
  assert.equal((await ctl.run('notes', 'delete', '999')).err, 'No such note\n')

  await ctl.ok('warning-presets', 'create', 'Please stop.')
  const [preset] = await ctl.sql('select id::text from warning_presets')
  await ctl.ok('moderation', 'act', 'bob', 'none', '--preset', String(preset?.['id']), '--text', 'Now.')
  assert.deepEqual(await ctl.sql('select text from account_warnings'), [{ text: 'Please stop.\n\nNow.' }])
  assert.match((await ctl.run('moderation', 'act', 'bob', 'none', '--preset', '999')).err, /No such warning preset/)

  assert.match((await ctl.run('accounts', 'purge', 'bob')).err, /is not suspended/)
  assert.match((await ctl.run('accounts', 'reject', 'bob')).err, /does not wait for approval/)
  await ctl.ok('accounts', 'memorialize', 'bob')
  assert.match((await ctl.run('accounts', 'memorialize', 'bob')).err, /memorial already/)
  await ctl.sql(`select graphile_worker.add_job('test.unknown', '{}'::json, run_at => now() + interval '1 day')`)
  const waiting = await ctl.ok('jobs', 'list', '--state', 'waiting', '--name', 'test.unknown')
  const job = /^(\d+) +test\.unknown/m.exec(waiting)?.[1] ?? ''
  await ctl.ok('jobs', 'delete', job)
  assert.match((await ctl.run('jobs', 'retry', job)).err, /None of these jobs/)
  assert.match((await ctl.run('jobs', 'retry', 'x')).err, /No such job: x/)
})
