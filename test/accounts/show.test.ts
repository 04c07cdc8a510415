import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { startPeer } from '../support/federation/peer.ts'
import { makeToken, people, person, sql } from '../support/people.ts'

type Members = Record<string, unknown>

test('an account entity has all its members in order', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const answer = await anonymous.get(`/api/v1/accounts/${alice.id}`)
  const account = answer.json as Members
  assert.equal(answer.headers.get('cache-control')?.startsWith('max-age=15, public'), true)
  assert.deepEqual(
    Object.keys(account),
    (
      'id username acct display_name locked bot discoverable indexable group created_at note url uri avatar ' +
      'avatar_static avatar_description header header_static header_description followers_count following_count ' +
      'statuses_count last_status_at hide_collections show_media show_media_replies show_featured ' +
      'feature_approval emojis fields roles noindex'
    ).split(' '),
  )
  assert.match(String(account['created_at']), /T00:00:00\.000Z$/)
  assert.equal(account['url'], `${server.config.publicUrl}/@${alice.username}`)
  assert.equal(account['uri'], `${server.config.publicUrl}/ap/users/${alice.id}`)
  assert.equal(account['avatar'], `${server.config.publicUrl}/avatars/original/missing.png`)
  assert.equal(account['header_static'], `${server.config.publicUrl}/headers/original/missing.png`)
  assert.deepEqual(account['feature_approval'], { automatic: [], manual: [], current_user: 'denied' })
  assert.equal(account['discoverable'], null)
})

test('feature_approval depends on the viewer', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const approval = async (client: Client): Promise<unknown> =>
    ((await client.get(`/api/v1/accounts/${alice.id}`)).json as Members)['feature_approval']
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  assert.deepEqual(await approval(bob), { automatic: ['public'], manual: [], current_user: 'automatic' })
  assert.deepEqual(await approval(anonymous), { automatic: ['public'], manual: [], current_user: 'denied' })
  await bob.follow(alice)
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true })
  assert.deepEqual(await approval(bob), { automatic: ['followers'], manual: [], current_user: 'automatic' })
  assert.deepEqual(await approval(alice), { automatic: ['followers'], manual: [], current_user: 'automatic' })
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`)
  assert.deepEqual(await approval(bob), { automatic: ['followers'], manual: [], current_user: 'denied' })
})

test('an account that posts keeps what each viewer sees of it', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true, display_name: 'Zoë 🌈' })
  const old = await person(server, 'old', { account: { display_name: 'été', discoverable: true } })
  await sql(server, `update accounts set moved_to_account_id = ${alice.id} where id = ${old.id}`)
  for (let count = 0; count <= 10; count += 1) {
    if (count > 0) await alice.postStatus(`status ${count}`)
    for (const [viewer, approval] of [
      [bob, 'automatic'],
      [anonymous, 'denied'],
    ] as const) {
      const account = (await viewer.get(`/api/v1/accounts/${alice.id}`)).json as Members
      const shown = [account['display_name'], account['statuses_count'], account['noindex']]
      assert.deepEqual(shown, ['Zoë 🌈', count, false], approval)
      assert.deepEqual(account['feature_approval'], { automatic: ['public'], manual: [], current_user: approval })
      const moved = (await viewer.get(`/api/v1/accounts/${old.id}`)).json as Members
      assert.deepEqual([moved['display_name'], moved['roles']], ['été', []])
      assert.equal((moved['feature_approval'] as Members)['current_user'], approval)
      assert.deepEqual(moved['moved'], account)
    }
  }
})

test('an account shows custom emojis, roles and the account it moved to', async t => {
  const { bob, anonymous, server } = await people(t, 'bob')
  await sql(
    server,
    `insert into custom_emojis (shortcode, image) values ('blobcat', '{"key": "emoji/a.gif", "static_key": "emoji/a.png", "type": "image/gif"}')`,
  )
  const moved = await person(server, 'moved', {
    account: { display_name: 'now :blobcat:', moved_to_account_id: bob.id },
    roleId: 3,
  })
  const account = (await anonymous.get(`/api/v1/accounts/${moved.id}`)).json as Members
  assert.deepEqual(account['emojis'], [
    {
      shortcode: 'blobcat',
      url: `${server.config.publicUrl}/media/emoji/a.gif`,
      static_url: `${server.config.publicUrl}/media/emoji/a.png`,
      visible_in_picker: true,
    },
  ])
  assert.deepEqual(account['roles'], [{ id: '3', name: 'Owner', color: '' }])
  const target = account['moved'] as Members
  assert.equal(target['id'], bob.id)
  assert.equal('moved' in target, false)
})

test('a suspended account is shown without its texts, a deleted or pending account is not found', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const suspended = await person(server, 'suspended', {
    account: { suspended_at: new Date(), note: 'x', note_html: '<p>x</p>', locked: true, discoverable: true },
    roleId: 3,
  })
  const account = (await anonymous.get(`/api/v1/accounts/${suspended.id}`)).json as Members
  for (const [name, value] of Object.entries({
    suspended: true,
    display_name: '',
    note: '',
    locked: false,
    discoverable: false,
    fields: [],
    roles: [],
  })) {
    assert.deepEqual(account[name], value, name)
  }
  for (const list of [
    'statuses',
    'followers',
    'following',
    'featured_tags',
    'endorsements',
    'lists',
    'identity_proofs',
  ]) {
    const answer = await alice.get(`/api/v1/accounts/${suspended.id}/${list}`)
    assert.deepEqual([answer.status, answer.json], [200, []], list)
  }
  const beingDeleted = await person(server, 'going', { account: { deletion_requested_at: new Date() } })
  const pending = await person(server, 'pending', { user: { approved: false } })
  for (const id of [beingDeleted.id, pending.id, '1', 'abc', '99999999999999999999']) {
    for (const path of ['', '/statuses', '/followers', '/following', '/featured_tags', '/endorsements']) {
      const answer = await anonymous.get(`/api/v1/accounts/${id}${path}`)
      assert.deepEqual([answer.status, answer.json], [404, { error: 'Record not found' }], `${id}${path}`)
    }
  }
  const moderator = await person(server, 'moderator', { roleId: 1 })
  assert.equal((await moderator.get(`/api/v1/accounts/${pending.id}`)).status, 200)
  const several = await anonymous.get('/api/v1/accounts', {
    'id[]': [alice.id, suspended.id, beingDeleted.id, pending.id, '1', alice.id],
  })
  assert.deepEqual(
    (several.json as { id: string }[]).map(one => one.id),
    [alice.id, suspended.id],
  )
})

test('up to 40 accounts are read by their ids', async t => {
  const { anonymous } = await people(t, 'alice')
  assert.deepEqual((await anonymous.get('/api/v1/accounts')).json, [])
  assert.deepEqual((await anonymous.get('/api/v1/accounts', { id: '1' })).json, [])
  const ids = Array.from({ length: 41 }, (_, index) => String(index + 1))
  const refused = await anonymous.get('/api/v1/accounts', { 'id[]': ids })
  assert.deepEqual([refused.status, refused.json], [422, { error: 'Mastodon::ValidationError' }])
})

test('an account is found by its handle', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const domain = server.config.localDomain
  for (const acct of [alice.username, `@${alice.username.toUpperCase()}`, `${alice.username}@${domain}`]) {
    const answer = await anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.equal((answer.json as Members)['id'], alice.id, acct)
  }
  for (const acct of ['', 'nobody_here', 'a b', `${alice.username}@elsewhere.example`]) {
    const answer = await anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.deepEqual([answer.status, answer.json], [404, { error: 'Record not found' }], acct)
  }
  assert.equal((await anonymous.get('/api/v1/accounts/lookup')).status, 404)
})

test('a token without a read scope is refused even for public accounts', async t => {
  const { alice, server } = await people(t, 'alice')
  const writer = new Client(server, await makeToken(server, alice.userId, ['write:statuses']))
  const refused = await writer.get(`/api/v1/accounts/${alice.id}`)
  assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is outside the authorized scopes' }])
  const reader = new Client(server, await makeToken(server, alice.userId, ['read:accounts']))
  for (const path of [`/api/v1/accounts/${alice.id}`, '/api/v1/preferences'])
    assert.equal((await reader.get(path)).status, 200, path)
  const proofs = await new Client(server).get(`/api/v1/accounts/${alice.id}/identity_proofs`)
  assert.deepEqual([proofs.status, proofs.json], [422, { error: 'This method requires an authenticated user' }])
})

test('account search returns the exact match first, then followed accounts, then by followers', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const mark = `zz${Date.now().toString(36)}`
  const exact = await person(server, 'x', { account: { username: mark, display_name: 'exact' } })
  const known = await person(server, 'x', { account: { username: `${mark}_known` } })
  const famous = await person(server, 'x', { account: { display_name: `${mark.toUpperCase()} the famous` } })
  const within = await person(server, 'x', { account: { display_name: `miss ${mark}` } })
  const suspended = await person(server, 'x', { account: { username: `${mark}_s`, suspended_at: new Date() } })
  await person(server, 'x', { account: { username: `${mark}_m`, moved_to_account_id: bob.id } })
  await person(server, 'x', { account: { username: `${mark}_p` }, user: { approved: false } })
  await alice.follow(known)
  for (const fan of [bob, carol]) await fan.follow(famous)
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const answer = await alice.get('/api/v1/accounts/search', query)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('link'), null)
    return (answer.json as { id: string }[]).map(one => one.id)
  }
  const all = [exact.id, known.id, famous.id, within.id]
  assert.deepEqual(await find({ q: `@${mark}` }), all)
  assert.deepEqual(await find({ q: mark, limit: '2' }), all.slice(0, 2))
  assert.deepEqual(await find({ q: mark, limit: '2', offset: '2' }), all.slice(2))
  assert.deepEqual(await find({ q: `${mark}@${server.config.localDomain}`, limit: '1' }), [exact.id])
  assert.deepEqual(await find({ q: `${server.config.publicUrl}/@${mark}`, resolve: 'true' }), [exact.id])
  assert.deepEqual(await find({ q: mark, following: 'true' }), [known.id])
  assert.deepEqual(await find({ q: mark, limit: '0' }), [])
  assert.deepEqual(await find({ q: ' ' }), [])
  assert.deepEqual(await find({ q: `${mark}_s` }), [])
  assert.deepEqual(await find({ q: '%' }), [])
  assert.equal((await alice.get(`/api/v1/accounts/${suspended.id}`)).status, 200)
})

test('account search finds accounts by the beginning of their domain', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const mark = `zd${Date.now().toString(36)}`
  const make = async (username: string, domain: string): Promise<string> => {
    const [made] = await sql(
      server,
      `insert into accounts (username, domain, uri) values ($1, $2, 'https://' || $2 || '/' || $1) returning id::text`,
      [username, domain],
    )
    return String(made?.['id'])
  }
  const plain = await make('anna', `${mark}.example`)
  const popular = await make('bert', `${mark}.example`)
  const followed = await make('cora', `${mark}.net`)
  await make('anna', `not-${mark}.example`)
  const other = await make('anne', `${mark}.org`)
  await sql(server, 'insert into account_stats (account_id, followers_count) values ($1, 1)', [popular])
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [alice.id, followed])
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const answer = await alice.get('/api/v1/accounts/search', query)
    assert.equal(answer.status, 200, answer.text)
    return (answer.json as { id: string }[]).map(one => one.id)
  }
  assert.deepEqual(await find({ q: mark }), [followed, popular, plain, other])
  assert.deepEqual(await find({ q: `${mark}.EX` }), [popular, plain])
  assert.deepEqual(await find({ q: mark, following: 'true' }), [followed])
  assert.deepEqual(await find({ q: `@ann@${mark}` }), [plain, other])
  assert.deepEqual(await find({ q: `@anna@${mark}.exa` }), [plain])
  assert.deepEqual(await find({ q: `@@${mark}.net` }), [followed])
  assert.deepEqual(await find({ q: `@${bob.username}@${mark}` }), [])
})

test('account search fails when the server of the handle gives no answer and nothing is found', async t => {
  const { alice } = await people(t, 'alice')
  const peer = await startPeer(t)
  const { acct, username } = peer.actor('carol')
  t.intercept(peer, 'answer', {
    value: (_: IncomingMessage, response: ServerResponse) => void response.writeHead(502).end(),
  })
  const find = async (query: Record<string, string>) => {
    const { status, json } = await alice.get('/api/v1/accounts/search', query)
    return [status, json]
  }
  assert.deepEqual(await find({ q: acct, resolve: 'true' }), [503, { error: 'Remote data could not be fetched' }])
  assert.deepEqual(await find({ q: acct }), [200, []])
  assert.deepEqual(await find({ q: `${username}@`, resolve: 'true' }), [200, []], 'it is no handle')
  const searched = await alice.get('/api/v2/search', { q: acct, resolve: 'true' })
  assert.deepEqual([searched.status, (searched.json as Members)['accounts']], [200, []])
})

test('account search without resolve asks no other server', async t => {
  const { alice } = await people(t, 'alice')
  const peer = await startPeer(t)
  const { acct } = peer.actor('carol')
  const asked = t.capture(peer, 'answer', peer.answer)
  const find = async (query: Record<string, string>): Promise<unknown[]> => {
    const answer = await alice.get('/api/v1/accounts/search', query)
    assert.equal(answer.status, 200, answer.text)
    return (answer.json as { acct: string }[]).map(one => one.acct)
  }
  for (const query of [{ q: acct }, { q: acct, resolve: 'false' }]) assert.deepEqual(await find(query), [])
  assert.equal(asked().length, 0)
  assert.deepEqual(await find({ q: acct, resolve: 'true' }), [acct])
  assert.notEqual(asked().length, 0)
})

test('an account of another server shows its domain in Unicode and no roles', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const username = `remi${Date.now().toString(36)}`
  const [made] = await sql(
    server,
    `insert into accounts (username, domain, uri, url, note_html, actor_type, discoverable)
     values ($1, 'xn--bcher-kva.example', 'https://x.example/actors/' || $1, 'https://x.example/@' || $1, '<p>hi</p>', 'Group', true)
     returning id::text as id`,
    [username],
  )
  const id = String(made?.['id'])
  const account = (await anonymous.get(`/api/v1/accounts/${id}`)).json as Members
  assert.equal(account['acct'], `${username}@bücher.example`)
  assert.equal(account['url'], `https://x.example/@${username}`)
  assert.equal(account['uri'], `https://x.example/actors/${username}`)
  assert.equal(account['group'], true)
  assert.equal('roles' in account, false)
  assert.equal('noindex' in account, false)
  assert.deepEqual(account['feature_approval'], { automatic: [], manual: [], current_user: 'missing' })
  const found = await anonymous.get('/api/v1/accounts/lookup', { acct: `@${username}@BÜCHER.example` })
  assert.equal((found.json as Members)['id'], id)
  const searched = await alice.get('/api/v1/accounts/search', { q: `${username}@bücher.example` })
  assert.equal((searched.json as Members[])[0]?.['id'], id)
  const asked = (await alice.post(`/api/v1/accounts/${id}/follow`)).json as Members
  assert.deepEqual([asked['following'], asked['requested']], [false, true])
  await alice.post(`/api/v1/accounts/${id}/unfollow`)
  await sql(server, "insert into account_domain_blocks (account_id, domain) values ($1, 'xn--bcher-kva.example')", [
    alice.id,
  ])
  const refused = await alice.post(`/api/v1/accounts/${id}/follow`)
  assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is not allowed' }])
})
