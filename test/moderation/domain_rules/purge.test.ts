import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine, type CommandLine } from '../../cli/command.ts'
import { becomes, openPair } from '../../platform/settings/pair.ts'
import { sql } from '../../support/people.ts'

const accounts = async (ctl: CommandLine): Promise<unknown[]> =>
  (await ctl.sql('select domain from accounts where domain is not null order by domain')).map(row => row['domain'])

async function known(ctl: CommandLine): Promise<void> {
  await ctl.sql(
    `insert into accounts (username, domain, uri) values
       ('a', 'bad.example', 'https://bad.example/a'), ('b', 'sub.bad.example', 'https://sub.bad.example/b'),
       ('c', 'other.example', 'https://bad.example/c'), ('d', 'notbad.example', 'https://notbad.example/d')`,
  )
  await ctl.sql(
    `insert into custom_emojis (shortcode, domain, image) values ('x', 'bad.example', '{"key": "k"}'), ('x', 'sub.bad.example', '{"key": "l"}')`,
  )
  await ctl.sql(`insert into domain_blocks (domain) values ('bad.example')`)
}

const ALL = ['bad.example', 'notbad.example', 'other.example', 'sub.bad.example']

test('domains are purged by handle or URI, optionally with subdomains and domain blocks', async t => {
  for (const [given, output, left] of [
    [['bad.example', '--dry-run'], 'Removed 1 accounts (DRY RUN)\nRemoved 1 custom emojis (DRY RUN)\n', ALL],
    [['bad.example'], 'Removed 1 accounts\nRemoved 1 custom emojis\n', ALL.slice(1)],
    [
      ['Bad.example', '--include-subdomains', '--purge-domain-blocks'],
      'Removed 2 accounts\nRemoved 1 domain blocks\nRemoved 2 custom emojis\n',
      ['notbad.example', 'other.example'],
    ],
    [
      ['bad.example', '--by-uri'],
      'Removed 2 accounts\nRemoved 1 custom emojis\n',
      ['notbad.example', 'sub.bad.example'],
    ],
    [['--limited-federation-mode'], 'Removed 3 accounts\nRemoved 2 custom emojis\n', ['other.example']],
  ] as const) {
    const ctl = await createCommandLine(t)
    await known(ctl)
    await ctl.ok('domains', 'allow', 'other.example')
    assert.equal(await ctl.ok('domains', 'purge', ...given), output)
    assert.deepEqual(await accounts(ctl), left)
  }
})

test('a purge without a domain or with conflicting options is refused', async t => {
  const ctl = await createCommandLine(t)
  for (const [given, err] of [
    [[], 'No domain(s) given\n'],
    [['a.example', '--limited-federation-mode'], 'DOMAIN parameter not supported with --limited-federation-mode\n'],
  ] as const) {
    assert.deepEqual(await ctl.run('domains', 'purge', ...given), { code: 1, out: '', err })
  }
})

test('disallowing a domain in limited federation mode removes its accounts', async t => {
  const { servers, ctl } = await openPair(t)
  await sql(
    servers[0],
    `insert into accounts (username, domain, uri) values ('a', 'friend.example', 'https://friend.example/a')`,
  )
  const left = (): Promise<unknown> => sql(servers[0], `select domain from accounts where domain is not null`)
  await ctl('domains', 'allow', 'friend.example', 'other.example')
  await ctl('domains', 'disallow', 'friend.example')
  assert.equal(((await left()) as unknown[]).length, 1)
  await ctl('domains', 'allow', 'friend.example')
  await ctl('settings', 'set', 'limited_federation_mode', 'on')
  await ctl('domains', 'disallow', 'friend.example')
  await becomes(left, [], 'accounts of the domain')
  // As if the domain was allowed again while the job waited.
  await sql(
    servers[0],
    `insert into accounts (username, domain, uri) values ('b', 'other.example', 'https://other.example/b')`,
  )
  await sql(servers[0], `select enqueue('moderated_domains.purge', '{"domain": "other.example"}')`)
  const job = `select id from graphile_worker.jobs where task_identifier = 'moderated_domains.purge'`
  await becomes(() => sql(servers[0], job), [], 'the job')
  assert.deepEqual(await left(), [{ domain: 'other.example' }])
})
