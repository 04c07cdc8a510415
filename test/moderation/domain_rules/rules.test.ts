import assert from 'node:assert/strict'
import { test } from 'tap'
import { isStricter } from '../../../src/moderation/domain_rules/rule.ts'
import { createCommandLine } from '../../cli/command.ts'
import { becomes, openPair, type Pair } from '../../platform/settings/pair.ts'
import { Client } from '../../support/client.ts'
import { sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

/** Inserts a remote account with a public status; returns both ids. */
async function createRemoteAccount(
  server: ServerAddress,
  username: string,
  domain: string,
): Promise<{ id: string; post: string }> {
  const [made] = await sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri, discoverable) values ($1, $2, 'https://' || $2 || '/u/' || $1, true) returning id
     ), c as (insert into account_stats (account_id) select a.id from a),
     s as (
       insert into statuses (account_id, content, visibility, local, uri)
       select a.id, '<p>from afar</p>', 'public', false, 'https://' || $2 || '/p/' || $1 from a returning id
     ), n as (insert into status_stats (status_id) select s.id from s)
     select a.id::text, s.id::text as post from a, s`,
    [username, domain],
  )
  return { id: String(made?.['id']), post: String(made?.['post']) }
}

const followEachOther = (server: ServerAddress, local: Person, remote: string): Promise<unknown> =>
  sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2), ($2, $1)', [local.id, remote])

/** A client of each of the two servers, with the same token. */
const clientsOf = ({ servers }: Pair, token?: string): Client[] => servers.map(server => new Client(server, token))

const shown = async (client: Client, path: string): Promise<string[]> =>
  ((await client.get(path)).json as { id: string }[]).map(({ id }) => id)

const memberOf = async (client: Client, path: string, name: string): Promise<unknown> =>
  ((await client.get(path)).json as Record<string, unknown>)[name]

test('a silenced domain limits its present and future accounts until it is unblocked', async t => {
  const pair = await openPair(t)
  const { servers, ctl, person } = pair
  const [server] = servers
  const alice = await person('alice')
  const below = await createRemoteAccount(server, 'one', 'sub.loud.example')
  const beside = await createRemoteAccount(server, 'two', 'notloud.example')
  const byHand = await createRemoteAccount(server, 'three', 'loud.example')
  await sql(server, `update accounts set silenced_at = '2020-01-01' where id = $1`, [byHand.id])
  assert.equal(await ctl('domains', 'block', 'Loud.Example'), 'OK\n')
  const late = await createRemoteAccount(server, 'four', 'loud.example')
  for (const client of clientsOf(pair, alice.token)) {
    const limited = async (id: string): Promise<unknown> => memberOf(client, `/api/v1/accounts/${id}`, 'limited')
    for (const { id } of [below, byHand, late]) await becomes(() => limited(id), true, 'limited')
    assert.equal(await limited(beside.id), undefined)
    const timeline = await shown(client, '/api/v1/timelines/public?remote=true')
    assert.deepEqual(timeline, [beside.post])
  }
  assert.equal(await ctl('domains', 'unblock', 'loud.example'), 'OK\n')
  for (const client of clientsOf(pair, alice.token)) {
    for (const { id } of [below, late]) {
      await becomes(() => memberOf(client, `/api/v1/accounts/${id}`, 'limited'), undefined, 'no longer limited')
    }
    // The action of a moderator on one account stays.
    assert.equal(await memberOf(client, `/api/v1/accounts/${byHand.id}`, 'limited'), true)
  }
})

test('a suspended domain is hidden, and users are notified of their severed relationships', async t => {
  const pair = await openPair(t)
  const { servers, ctl, person } = pair
  const [server] = servers
  const [alice, bob] = [await person('alice'), await person('bob')]
  const one = await createRemoteAccount(server, 'one', 'bad.example')
  const two = await createRemoteAccount(server, 'two', 'sub.bad.example')
  for (const remote of [one, two]) await followEachOther(server, alice, remote.id)
  await sql(server, 'insert into follow_requests (account_id, target_account_id) values ($1, $2)', [bob.id, one.id])
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image) values ('blob', 'bad.example', '{"key": "k"}')`,
  )
  const { id: list } = (await alice.post('/api/v1/lists', { title: 'far' })).json as { id: string }
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [one.id] })
  const stream = await alice.stream('user:notification')
  t.after(() => alice.close())
  await ctl('domains', 'block', 'bad.example', '--severity', 'suspend', '--public-comment', 'spam')
  const notification = (await stream.next('notification')).payload as { type: string; event: Record<string, unknown> }
  const { id: _, created_at: since, ...event } = notification.event
  assert.ok(typeof since === 'string')
  assert.deepEqual(
    [notification.type, event],
    [
      'severed_relationships',
      { type: 'domain_block', purged: false, target_name: 'bad.example', followers_count: 2, following_count: 2 },
    ],
  )
  for (const client of clientsOf(pair, alice.token)) {
    for (const { id, post } of [one, two]) {
      await becomes(async () => (await client.get(`/api/v1/statuses/${post}`)).status, 404, 'its posts')
      await becomes(() => memberOf(client, `/api/v1/accounts/${id}`, 'suspended'), true, 'its accounts')
      assert.deepEqual(await shown(client, `/api/v1/accounts/${id}/statuses`), [])
    }
    assert.deepEqual(await shown(client, '/api/v1/timelines/public?remote=true'), [])
    assert.deepEqual(await shown(client, `/api/v1/accounts/${alice.id}/following`), [])
    assert.deepEqual(await shown(client, `/api/v1/accounts/${alice.id}/followers`), [])
    const found = await client.get('/api/v2/search', { q: 'one@bad.example' })
    assert.deepEqual((found.json as { accounts: unknown[] }).accounts, [])
  }
  const left = (): Promise<unknown> =>
    sql(
      server,
      `select (select count(*)::int from statuses where not local) as statuses, (select count(*)::int from custom_emojis) as emojis,
         (select count(*)::int from follow_requests) as requests`,
    )
  await becomes(left, [{ statuses: 0, emojis: 0, requests: 0 }], 'the deleted rows')
  assert.deepEqual(await shown(alice, `/api/v1/lists/${list}/accounts`), [])
  const heard = await sql(
    server,
    `select data ->> 'change' as change from events where kind = 'list.changed' and object_id = $1 order by id`,
    [list],
  )
  assert.deepEqual(
    heard.map(({ change }) => change),
    ['created', 'members', 'members'],
    'what streams the list learns of it',
  )
  // Bob lost no relationship, and nobody is notified twice.
  assert.deepEqual(await shown(bob, '/api/v1/notifications'), [])
  assert.equal((await shown(alice, '/api/v1/notifications')).length, 1)
  await ctl('domains', 'unblock', 'bad.example')
  for (const client of clientsOf(pair, alice.token)) {
    await becomes(() => memberOf(client, `/api/v1/accounts/${one.id}`, 'suspended'), undefined, 'restored')
    assert.deepEqual(await shown(client, `/api/v1/accounts/${one.id}/statuses`), [])
  }
})

test('blocks and mutes of people here outlast the suspension of a domain', async t => {
  const pair = await openPair(t)
  const { servers, ctl, person } = pair
  const [server] = servers
  const bob = await person('bob')
  const one = await createRemoteAccount(server, 'one', 'rude.example')
  const two = await createRemoteAccount(server, 'two', 'rude.example')
  assert.equal((await bob.post(`/api/v1/accounts/${one.id}/block`)).status, 200)
  assert.equal((await bob.post(`/api/v1/accounts/${two.id}/mute`)).status, 200)
  await ctl('domains', 'block', 'rude.example', '--severity', 'suspend')
  const left = (): Promise<unknown> =>
    sql(server, 'select from statuses where account_id in ($1, $2)', [one.id, two.id])
  await becomes(left, [], 'the deleted rows')
  const emptied = (): Promise<unknown> =>
    sql(server, `select from graphile_worker.jobs where task_identifier like 'moderated_domains%'`)
  await becomes(emptied, [], 'the end of the jobs')
  await ctl('domains', 'unblock', 'rude.example')
  for (const client of clientsOf(pair, bob.token)) {
    const relations = async (): Promise<unknown> => {
      const { json } = await client.get('/api/v1/accounts/relationships', { 'id[]': [one.id, two.id] })
      return (json as { blocking: boolean; muting: boolean }[]).map(({ blocking, muting }) => [blocking, muting])
    }
    const kept = [
      [true, false],
      [false, true],
    ]
    await becomes(relations, kept, 'what people have blocked and muted')
  }
})

test('rejecting media removes the cached files, and the most specific rule applies', async t => {
  const pair = await openPair(t)
  const { servers, ctl, person } = pair
  const [server] = servers
  const alice = await person('alice')
  const one = await createRemoteAccount(server, 'one', 'blur.example')
  const two = await createRemoteAccount(server, 'two', 'fine.blur.example')
  const picture = JSON.stringify({ key: 'site/a.png', static_key: 'site/a.png', type: 'image/png' })
  await sql(server, 'update accounts set avatar = $1 where domain is not null', [picture])
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image)
     values ('x', 'blur.example', '{"key": "k"}'), ('y', 'a.blur.example', '{"key": "k"}'), ('z', 'fine.blur.example', '{"key": "k"}')`,
  )
  const [file] = await sql(
    server,
    `insert into media_attachments (account_id, status_id, type, file_key, preview_key, remote_url)
     values ($1, $2, 'image', 'far/1.png', 'far/2.png', 'https://blur.example/1.png') returning id::text`,
    [one.id, one.post],
  )
  await sql(server, 'update statuses set media_attachment_ids = array[$1::bigint] where id = $2', [
    file?.['id'],
    one.post,
  ])
  await ctl('domains', 'block', 'fine.blur.example', '--severity', 'silence')
  await ctl('domains', 'block', 'blur.example', '--severity', 'noop', '--reject-media')
  const keys = (): Promise<unknown> =>
    sql(server, `select file_key, preview_key, remote_url from media_attachments where id = $1`, [file?.['id']])
  await becomes(keys, [{ file_key: null, preview_key: null, remote_url: 'https://blur.example/1.png' }], 'files')
  await becomes(() => sql(server, 'select shortcode from custom_emojis'), [{ shortcode: 'z' }], 'emojis')
  for (const client of clientsOf(pair, alice.token)) {
    const avatarOf = async (id: string): Promise<boolean> =>
      String(await memberOf(client, `/api/v1/accounts/${id}`, 'avatar')).endsWith('missing.png')
    await becomes(() => avatarOf(one.id), true, 'avatar')
    assert.equal(await avatarOf(two.id), false, 'the avatar of an account with a rule of its own')
    await becomes(() => memberOf(client, `/api/v1/accounts/${two.id}`, 'limited'), true, 'its own rule')
    assert.equal(await memberOf(client, `/api/v1/accounts/${one.id}`, 'limited'), undefined)
  }
})

test('a rule for a subdomain takes the place of that for its parent, also for known accounts', async t => {
  const { servers, ctl } = await openPair(t)
  const [server] = servers
  const above = await createRemoteAccount(server, 'one', 'loud.example')
  const below = await createRemoteAccount(server, 'two', 'calm.loud.example')
  const limited = async (): Promise<unknown[]> =>
    (
      await sql(
        server,
        'select silenced_at is not null as limited from accounts where id = any ($1) order by username',
        [[above.id, below.id]],
      )
    ).map(row => row['limited'])
  await ctl('domains', 'block', 'loud.example', '--severity', 'silence')
  await becomes(limited, [true, true], 'the rule of the parent')
  await ctl('domains', 'block', 'calm.loud.example', '--severity', 'noop', '--reject-media')
  await becomes(limited, [true, false], 'a milder rule of its own')
  await ctl('domains', 'unblock', 'calm.loud.example')
  await becomes(limited, [true, true], 'the rule of the parent again')
})

test('a rule for a subdomain outlives one for its parent that limits as much', async t => {
  const { servers, ctl } = await openPair(t)
  const [server] = servers
  const [above, below] = [
    await createRemoteAccount(server, 'one', 'loud.example'),
    await createRemoteAccount(server, 'two', 'sub.loud.example'),
  ]
  const limited = async (): Promise<unknown[]> => {
    const select = 'select silenced_at is not null as limited from accounts where id = any ($1) order by username'
    return (await sql(server, select, [[above.id, below.id]])).map(row => row['limited'])
  }
  await ctl('domains', 'block', 'loud.example', '--severity', 'silence')
  await becomes(limited, [true, true], 'the rule of the parent')
  await ctl('domains', 'block', 'sub.loud.example', '--severity', 'silence', '--reject-media')
  await ctl('domains', 'unblock', 'loud.example')
  await becomes(limited, [false, true], 'the rule of the subdomain')
  await ctl('domains', 'unblock', 'sub.loud.example')
  await becomes(limited, [false, false], 'no rule')
})

test('a rule for a domain is also for its other ports', async t => {
  const { servers, ctl } = await openPair(t)
  const [server] = servers
  const domains = ['bad.example:8443', 'sub.bad.example:8443', 'bad.example.']
  for (const [at, domain] of [...domains, 'notbad.example:8443', 'bad.example.org:8443'].entries())
    await createRemoteAccount(server, `one${at}`, domain)
  for (const domain of domains)
    await sql(server, `insert into custom_emojis (shortcode, domain, image) values ('x', $1, '{"key": "k"}')`, [domain])
  const limited = async (): Promise<unknown[]> =>
    (await sql(server, 'select domain from accounts where suspended_at is not null order by id')).map(
      row => row['domain'],
    )
  await ctl('domains', 'block', 'bad.example', '--severity', 'suspend')
  await becomes(limited, domains, 'known accounts')
  await createRemoteAccount(server, 'late', 'a.bad.example:1')
  assert.deepEqual(await limited(), [...domains, 'a.bad.example:1'])
  await becomes(() => sql(server, 'select domain from custom_emojis'), [], 'emojis')
  await ctl('domains', 'unblock', 'bad.example')
  await becomes(limited, [], 'no rule')
})

test('rules that were made together are removed one by one', async t => {
  const { servers, ctl } = await openPair(t)
  const [server] = servers
  await sql(
    server,
    `insert into domain_blocks (domain, severity) values ('loud.example', 'silence'), ('sub.loud.example', 'silence')`,
  )
  const above = await createRemoteAccount(server, 'one', 'loud.example')
  const below = await createRemoteAccount(server, 'two', 'sub.loud.example')
  const limited = async (id: string): Promise<unknown> =>
    (await sql(server, 'select silenced_at is not null as limited from accounts where id = $1', [id]))[0]?.['limited']
  assert.deepEqual([await limited(above.id), await limited(below.id)], [true, true])
  await ctl('domains', 'unblock', 'loud.example')
  await becomes(() => limited(above.id), false, 'no rule')
  assert.equal(await limited(below.id), true)
  await ctl('domains', 'unblock', 'sub.loud.example')
  await becomes(() => limited(below.id), false, 'no rule')
})

test('a rule is stricter only if it covers everything that the other does', async () => {
  const rule = (severity: string, media = false, reports = false) => ({
    severity,
    reject_media: media,
    reject_reports: reports,
  })
  for (const [above, below, stricter] of [
    [rule('suspend'), rule('suspend', true, true), true],
    [rule('suspend'), rule('silence', true), true],
    [rule('silence'), rule('suspend'), false],
    [rule('silence'), rule('silence'), true],
    [rule('silence'), rule('silence', true), false],
    [rule('silence', true), rule('noop', true, true), false],
    [rule('silence', true, true), rule('noop', true), true],
    [rule('noop', true, true), rule('silence'), false],
    [rule('noop', true), rule('noop'), true],
  ] as const) {
    assert.equal(isStricter(above, below), stricter, JSON.stringify([above, below]))
  }
})

test('refused rules print one line, and changes are recorded in the audit log', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('domains', 'block', 'bar.example', '--severity', 'suspend', '--private-comment', 'why')
  await ctl.ok('domains', 'block', 'loud.example', '--obfuscate')
  await ctl.ok('domains', 'block', 'a.loud.example', '--severity', 'suspend', '--reject-reports')
  const stricter = (domain: string): string => `You have already imposed stricter limits on ${domain}.\n`
  for (const [given, message] of [
    [['bar.example'], stricter('bar.example')],
    [['foo.bar.example', '--severity', 'suspend'], stricter('bar.example')],
    [['b.loud.example', '--severity', 'noop'], stricter('loud.example')],
    [['two words'], 'Domain is not a valid domain name\n'],
    [['  '], "Domain can't be blank\n"],
  ] as const) {
    assert.deepEqual(await ctl.run('domains', 'block', ...given), { code: 1, out: '', err: message })
  }
  assert.match(await ctl.ok('domains', 'list'), /^bar\.example +suspend +- +- +why$/m)
  assert.match(await ctl.ok('domains', 'list'), /^a\.loud\.example +suspend +reports +- +-$/m)
  assert.equal((await ctl.run('domains', 'unblock', 'nowhere.example')).err, 'There is no rule about nowhere.example\n')
  await ctl.ok('domains', 'unblock', 'loud.example')
  assert.equal(await ctl.ok('domains', 'allow', 'friend.example'), 'friend.example OK\n')
  assert.equal(await ctl.ok('domains', 'allow', 'friend.example'), 'friend.example is already allowed.\n')
  assert.equal(await ctl.ok('domains', 'disallow', 'friend.example'), 'friend.example OK\n')
  assert.equal(await ctl.ok('domains', 'disallow', 'friend.example'), 'friend.example is not allowed.\n')
  const log = await ctl.sql(`select action, target_type, target_name from admin_action_logs order by id`)
  assert.deepEqual(
    log.map(row => Object.values(row).join(' ')),
    [
      'create DomainBlock bar.example',
      'create DomainBlock loud.example',
      'create DomainBlock a.loud.example',
      'destroy DomainBlock loud.example',
      'create DomainAllow friend.example',
      'destroy DomainAllow friend.example',
    ],
  )
})
