import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { CONFIG_TABLE } from '../../src/core/config_table.ts'
import { createCommandLine, runHere } from './command.ts'

/** Commands that need no database run with this unreachable one. */
const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

test('wrong usage prints one line and the usage, with exit status 1', async () => {
  for (const [given, message] of [
    [['acounts'], /^error: unknown command 'acounts'\n(\(Did you mean accounts\?\)\n)?Usage: millrace /],
    [
      ['accounts', 'create'],
      /^error: required option '--email <address>' not specified\nUsage: millrace accounts create /,
    ],
    [['accounts', 'create', '--email', 'a@b.example'], /^error: missing required argument 'username'\nUsage: /],
    [['accounts', 'create', 'a', 'b', '--email', 'x@y.example'], /^error: too many arguments for 'create'/],
    [['settings', 'registrations', 'sometimes'], /^error: unknown command 'sometimes'/],
    [
      ['seed', '--accounts', 'many'],
      /^error: option '--accounts <n>' argument 'many' is invalid\. It must be a whole number/,
    ],
    [
      ['accounts', 'follow', 'ada', '--concurrency', 'many'],
      /^error: option '-c, --concurrency <n>' argument 'many' is invalid/,
    ],
    [['version', '--loud'], /^error: unknown option '--loud'/],
  ] as const) {
    const { code, out, err } = await runHere(given, NOWHERE)
    assert.equal(code, 1, given.join(' '))
    assert.equal(out, '')
    assert.match(err, message)
  }
})

test('a missing database or an invalid environment prints one line', async () => {
  const unreachable = await runHere(['settings', 'list'], NOWHERE)
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.err, /^DATABASE_URL: no database answers at 127\.0\.0\.1:1: [^\n]*ECONNREFUSED[^\n]*\n$/)
  const faulty = await runHere(['settings', 'list'], { PORT: 'door' })
  assert.deepEqual(faulty, { code: 78, out: '', err: 'PORT must be a whole number from 0 to 65535, not "door"\n' })
})

test('version, help and secrets need no database', async () => {
  for (const form of ['version', '--version', '-v']) {
    assert.match((await runHere([form], NOWHERE)).out, /^\d+\.\d+\.\d+\n$/)
  }
  const help = await runHere(['--help'], NOWHERE)
  assert.equal(help.code, 0)
  for (const group of [
    'accounts',
    'settings',
    'roles',
    'announcements',
    'emoji',
    'media',
    'statuses',
    'cache',
    'feeds',
    'seed',
  ]) {
    assert.match(help.out, new RegExp(`^  ${group} `, 'm'))
  }
  assert.match((await runHere(['secret'], NOWHERE)).out, /^[0-9a-f]{128}\n$/)
  const keys = await runHere(['webpush', 'generate-vapid-key'], NOWHERE)
  assert.match(keys.out, /^VAPID_PRIVATE_KEY=[\w-]{43}\nVAPID_PUBLIC_KEY=[\w-]{87}\n$/)
})

test('config shows the configuration without passwords, and as a Markdown table', async () => {
  const environment = {
    DATABASE_URL: 'postgres://mill:hush@db.example/mill',
    SMTP_URL: 'smtp://me:quiet@mail.example:587',
    TRANSLATION_BACKEND: 'deepl',
    TRANSLATION_API_KEY: 'unspoken',
  }
  const { out } = await runHere(['config'], environment)
  assert.match(out, /^DATABASE_URL +postgres:\/\/mill:\*{8}@db\.example\/mill /m)
  assert.match(out, /^PORT +3000 /m)
  assert.doesNotMatch(out, /hush|quiet|unspoken/)
  assert.match(out, /^TRANSLATION_API_KEY +\*{8} /m)
  for (const url of [
    'postgres://mill:hush@/mill?host=/run/postgresql',
    'postgres://mill@db.example/mill?password=hush',
  ]) {
    const { out: other, code } = await runHere(['config'], { DATABASE_URL: url })
    assert.deepEqual([code, other.includes('hush')], [0, false], url)
    assert.match(other, /^DATABASE_URL +postgres:\/\/mill.*\*{8}/m)
  }
  const { out: markdown } = await runHere(['config', '--table'], {})
  assert.equal(markdown.trim().split('\n').length, CONFIG_TABLE.length + 2)
  assert.match(markdown, /^\| `DATABASE_URL` \| embedded PostgreSQL \| /m)
})

test('config shows each setting, and warns of unknown ones, in the environment and in the file of ENV_FILE', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-config-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'settings.env')
  const shown = {
    MAX_FOLLOWS_THRESHOLD: '123',
    MAX_FOLLOWS_RATIO: '1.5',
    CACHE_MB: '77',
    DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS: 'on',
    DISABLE_FOLLOWERS_SYNCHRONIZATION: 'on',
    IP_RETENTION_PERIOD: '7200',
    SESSION_RETENTION_PERIOD: '86400',
    MAX_SESSION_ACTIVATIONS: '4',
    HCAPTCHA_SITE_KEY: 'site',
    HCAPTCHA_SECRET_KEY: 'unspoken',
    HCAPTCHA_VERIFY_URL: 'https://captcha.example/verify',
  }
  const lines = Object.entries({ ...shown, SMTP_ULR: 'smtp://mail.example' }).map(([name, value]) => `${name}=${value}`)
  await writeFile(file, lines.join('\n'))
  const { out, err } = await runHere(['config'], { ENV_FILE: file })
  const values = new Map(out.split('\n').map(line => [line.split(/ +/)[0], line.split(/ +/)[1]]))
  for (const [name, value] of Object.entries({ ...shown, HCAPTCHA_SECRET_KEY: '********', ENV_FILE: file }))
    assert.equal(values.get(name), value, name)
  assert.match(err, /There is no setting SMTP_ULR; the nearest is SMTP_URL/)
  const { out: usual } = await runHere(['config'], NOWHERE)
  assert.match(usual, /^MAX_FOLLOWS_THRESHOLD +7500 /m)
  assert.match(usual, /^DISABLE_FOLLOWERS_SYNCHRONIZATION +off /m)
})

test('routes lists every operation with its authorization', async () => {
  const { out, code } = await runHere(['routes'], NOWHERE)
  assert.equal(code, 0)
  assert.match(out, /^METHOD +PATH +AUTH +SCOPES +SUMMARY$/m)
  assert.match(out, /^POST +\/api\/v1\/apps +public /m)
})

test('explain shows the plans of a statement and rolls back its changes', async t => {
  const ctl = await createCommandLine(t)
  const changes = JSON.stringify({ changes: { site_title: 'Explained' } })
  const out = await ctl.ok('explain', 'platform/settings/change', changes)
  assert.match(out, /^-- Planned for these values\n[^]*\n-- Generic plan\n/)
  assert.match(out, /actual time=/)
  assert.deepEqual(await ctl.sql('select key from settings'), [])
  assert.match(await ctl.ok('explain', 'auth/oauth/find_viewer', '["1"]'), /Index Scan|Index Only Scan/)
  for (const [given, message] of [
    [['nothing/here'], /^There is no statement sql\/queries\/nothing\/here\.sql\n$/],
    [['../schema'], /is not the name of a statement/],
    [['auth/oauth/find_viewer', '{"usr": 1}'], /^It has no parameter usr; it has user\n$/],
    [['auth/oauth/find_viewer', '{'], /^The parameters are not JSON\n$/],
  ] as const) {
    const { code, err } = await ctl.run('explain', ...given)
    assert.equal(code, 1)
    assert.match(err, message)
  }
})

test('events prints the event log', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  await ctl.ok('cache', 'clear')
  const out = await ctl.ok('events', '--number', '100', '--no-follow')
  assert.match(out, /^\d+\.\d+ user\.changed account=\d+ \{"change":"created"\}$/m)
  assert.match(out, /^\d+\.\d+ caches\.cleared \{"change":"all"\}$/m)
  const some = await ctl.ok('events', '-n', '100', '--no-follow', '--kind', 'caches', '--json')
  assert.equal(some.trim().split('\n').length, 1)
  assert.match(some, /"kind":"caches\.cleared"/)
})

test('migrate prepares a database, and a second run changes nothing', async t => {
  const ctl = await createCommandLine(t)
  assert.equal(await ctl.ok('migrate'), 'OK, the database is up to date\n')
  await ctl.sql(`update functions set checksum = '' where name in ('snowflake', 'notify')`)
  assert.equal(await ctl.ok('migrate'), 'OK, applied 0 migrations and 2 files of functions\n')
})

test('migrate refuses a database of a development version before the first release', async t => {
  const ctl = await createCommandLine(t)
  await ctl.sql('drop table functions')
  const { code, err } = await ctl.run('migrate')
  assert.deepEqual(
    [code, err],
    [1, 'the database was made by a development version from before the first release: use an empty one\n'],
  )
})

test('psql prints one line when the client is missing', async t => {
  const ctl = await createCommandLine(t)
  const nowhere = await mkdtemp(path.join(tmpdir(), 'millrace-no-psql-'))
  t.after(() => rm(nowhere, { recursive: true }))
  const { code, err } = await runHere(['psql'], { DATABASE_URL: ctl.databaseUrl, PATH: nowhere })
  assert.deepEqual({ code, err }, { code: 1, err: 'There is no psql on this system: install the PostgreSQL client\n' })
})

test('cache recount corrects counters, and feeds and caches are cleared', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  await ctl.sql('update account_stats set statuses_count = 7, followers_count = -1')
  assert.equal(await ctl.ok('cache', 'recount', 'accounts'), 'OK, recounted 1 records\n')
  assert.deepEqual(await ctl.sql('select statuses_count::int as s, followers_count::int as f from account_stats'), [
    { s: 0, f: 0 },
  ])
  assert.equal(await ctl.ok('cache', 'recount', 'statuses'), 'OK, recounted 0 records\n')
  assert.equal((await ctl.run('cache', 'recount', 'stars')).err, 'Unknown type: stars\n')
  assert.equal(await ctl.ok('feeds', 'build', 'ada'), 'OK\n')
  assert.equal(await ctl.ok('feeds', 'build', '--all'), 'Regenerated feeds for 1 accounts\n')
  const cleared = (): Promise<Record<string, unknown>[]> =>
    ctl.sql(
      `select account_id is null as of_all from events where kind = 'caches.cleared' and data ->> 'change' = 'feeds' order by id`,
    )
  const before = await cleared()
  assert.ok(before.some(row => row['of_all'] === false))
  assert.equal(await ctl.ok('feeds', 'build', 'ada', '-v', '--dry-run'), 'ada\nOK (DRY RUN)\n')
  assert.equal(await ctl.ok('feeds', 'build', '--all', '--dry-run'), 'Regenerated feeds for 1 accounts (DRY RUN)\n')
  assert.equal(await ctl.ok('feeds', 'build', '--all', '--skip-filled-timelines'), 'Regenerated feeds for 0 accounts\n')
  assert.deepEqual(await cleared(), before)
  assert.equal((await ctl.run('feeds', 'build')).err, 'No account(s) given\n')
  assert.equal((await ctl.run('feeds', 'build', 'bob')).err, 'No such account\n')
  assert.equal(await ctl.ok('feeds', 'clear'), 'OK\n')
  assert.equal(
    await ctl.ok('media', 'remove', '--dry-run'),
    'Removed 0 media attachments (approx. 0 Bytes) (DRY RUN)\n',
  )
})

test('psql gets each form of DATABASE_URL, and the password in its environment only', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-psql-'))
  t.after(() => rm(folder, { recursive: true }))
  const said = path.join(folder, 'said')
  await writeFile(path.join(folder, 'psql'), `#!/bin/sh\necho "$PGPASSWORD $*" > "${said}"\n`, { mode: 0o755 })
  for (const [url, expected] of [
    [
      'postgres://me:hush@/mill?host=/run/postgresql',
      'hush -d postgres://me@localhost/mill?host=%2Frun%2Fpostgresql -l',
    ],
    ['postgres://me@db.example/mill?password=hush&statement_timeout=9', 'hush -d postgres://me@db.example/mill -l'],
  ] as const) {
    const { code, err } = await runHere(['psql', '-l'], { DATABASE_URL: url, PATH: `${folder}:/usr/bin:/bin` })
    assert.deepEqual([code, err], [0, ''])
    assert.equal((await readFile(said, 'utf8')).trim(), expected)
  }
})
