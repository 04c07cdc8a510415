import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { person, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { startServer } from '../../support/server.ts'

test('WebFinger finds an account by every form of its address', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'Alice', {
    account: { avatar: { key: 'avatars/a.png', static_key: 'x', type: 'image/png' } },
  })
  const waiting = await person(server, 'waiting', { user: { approved: false } })
  const anonymous = new Client(server)
  const ask = (resource: string): Promise<ClientResponse> => anonymous.get('/.well-known/webfinger', { resource })
  const { localDomain } = server.config
  const [profile, actor] = [`${server.url}/@${alice.username}`, `${server.url}/ap/users/${alice.id}`]
  const first = await ask(`acct:${alice.username}@${localDomain}`)
  assert.equal(first.status, 200)
  assert.match(first.headers.get('content-type') ?? '', /^application\/jrd\+json/)
  assert.deepEqual(
    [first.headers.get('vary'), first.headers.get('cache-control')],
    ['Origin', 'public, max-age=259200'],
  )
  const document = first.json as {
    subject: string
    aliases: string[]
    links: { rel: string; type?: string; href?: string }[]
  }
  const avatar = document.links.find(({ rel }) => rel.endsWith('/avatar'))
  assert.deepEqual([avatar?.type, avatar?.href], ['image/png', `${server.url}/media/avatars/a.png`])
  assert.deepEqual([document.subject, document.aliases], [`acct:${alice.username}@${localDomain}`, [profile, actor]])
  assert.deepEqual(
    document.links.map(({ rel }) => rel),
    [
      'http://webfinger.net/rel/profile-page',
      'self',
      'http://ostatus.org/schema/1.0/subscribe',
      'https://w3id.org/fep/3b86/Create',
      'https://w3id.org/fep/3b86/Object',
      'http://webfinger.net/rel/avatar',
    ],
  )
  for (const other of [
    `${alice.username.toUpperCase()}@${localDomain}`,
    profile,
    actor,
    `${server.url}/users/${alice.username}`,
  ]) {
    assert.deepEqual((await ask(other)).json, first.json, other)
  }
  for (const [resource, status] of [
    ['', 400],
    ['df/:dfkj', 400],
    [`acct:nobody@${localDomain}`, 404],
    [`acct:${alice.username}@elsewhere.example`, 404],
    [`https://elsewhere.example/@${alice.username}`, 404],
    [`acct:${waiting.username}@${localDomain}`, 404],
  ] as const) {
    const refused = await ask(resource)
    assert.deepEqual(
      [refused.status, refused.text, refused.headers.get('cache-control')],
      [status, '', 'public, max-age=180'],
      resource,
    )
  }
  for (const own of [
    `acct:${localDomain}@${localDomain}`,
    `acct:mastodon.internal@${localDomain}`,
    localDomain,
    `${server.url}/actor`,
    server.url,
  ]) {
    const { subject, aliases } = (await ask(own)).json as { subject: string; aliases: string[] }
    assert.deepEqual([subject, aliases], [`acct:mastodon.internal@${localDomain}`, [`${server.url}/actor`]], own)
  }
  const instance = await fetch(`${server.url}/actor`, { headers: { accept: 'application/activity+json' } })
  assert.equal(entity(await instance.json())['preferredUsername'], 'mastodon.internal', 'GoToSocial compares both')
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  assert.equal((await ask(profile)).status, 200, 'a suspended account is still found')
  await sql(server, 'delete from users where account_id = $1', [alice.id])
  assert.equal((await ask(profile)).status, 410)
})

test('WebFinger answers for each domain of the server, and until an account is deleted', async t => {
  const server = await startServer(t, {
    env: { LOCAL_DOMAIN: 'mill.example', ALTERNATE_DOMAINS: 'foo.org|Old.example' },
  })
  const alice = await person(server, 'alice')
  const leaving = await person(server, 'leaving', { account: { deletion_requested_at: new Date() } })
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  const statusOf = async (resource: string): Promise<number> =>
    (await new Client(server).get('/.well-known/webfinger', { resource })).status
  for (const [domain, status] of [
    ['mill.example', 200],
    [new URL(server.url).host, 200],
    ['foo.org', 200],
    ['old.example', 200],
    ['bar.org', 404],
  ] as const)
    assert.equal(await statusOf(`acct:${alice.username}@${domain}`), status, domain)
  for (const { id, username } of [leaving, suspended]) {
    assert.equal(await statusOf(`acct:${username}@mill.example`), 200, username)
    await sql(server, 'delete from users where account_id = $1', [id])
    await sql(server, 'update accounts set suspended_at = now() where id = $1', [id])
    assert.equal(await statusOf(`acct:${username}@mill.example`), 410, username)
  }
})

test('a handle with an international domain of the server is a local one, in Unicode and in ASCII', async t => {
  const server = await startServer(t, {
    env: { LOCAL_DOMAIN: '例え.jp', ALTERNATE_DOMAINS: 'bücher.example' },
  })
  const { username, id } = await person(server, 'alice')
  const anonymous = new Client(server)
  for (const domain of ['例え.jp', '例え.JP', 'xn--r8jz45g.jp', 'Bücher.example', 'xn--bcher-kva.example']) {
    for (const resource of [`acct:${username}@${domain}`, domain, `${domain}@${domain}`])
      assert.equal((await anonymous.get('/.well-known/webfinger', { resource })).status, 200, resource)
  }
  const elsewhere = await anonymous.get('/.well-known/webfinger', { resource: `acct:${username}@例.jp` })
  assert.equal(elsewhere.status, 404)
  for (const domain of ['例え.jp', 'XN--r8jz45g.jp', new URL(server.url).host]) {
    const found = await anonymous.get('/api/v1/accounts/lookup', { acct: `@${username}@${domain}` })
    assert.equal((found.json as { id?: string }).id, id, domain)
  }
})

test('a closed server is found too, without its avatars', async t => {
  for (const setting of ['limited_federation_mode', 'disallow_unauthenticated_api_access']) {
    const server = await startServer(t, { settings: { [setting]: true } })
    const alice = await person(server, 'alice', {
      account: { avatar: { key: 'avatars/a.png', static_key: 'x', type: 'image/png' } },
    })
    const resource = `acct:${alice.username}@${server.config.localDomain}`
    const { status, json } = await new Client(server).get('/.well-known/webfinger', { resource })
    assert.equal(status, 200)
    assert.ok(!(json as { links: { rel: string }[] }).links.some(({ rel }) => rel.endsWith('/avatar')), setting)
  }
})

test('host-meta is XML, or JSON on request', async t => {
  const server = await startServer(t)
  const anonymous = new Client(server)
  const xml = await anonymous.get('/.well-known/host-meta')
  assert.match(xml.headers.get('content-type') ?? '', /^application\/xrd\+xml/)
  const template = `${server.url}/.well-known/webfinger?resource={uri}`
  assert.ok(xml.text.includes(`<Link rel="lrdd" template="${template}"/>`))
  const asked = await anonymous.get('/.well-known/host-meta', {}, { accept: 'application/json' })
  const json = await anonymous.get('/.well-known/host-meta.json')
  for (const response of [asked, json]) assert.deepEqual(response.json, { links: [{ rel: 'lrdd', template }] })
})

test('the other well-known addresses redirect or answer', async t => {
  const server = await startServer(t)
  const anonymous = new Client(server)
  const proxy = await anonymous.get('/.well-known/proxy?uri=web%2Bap%3A%2F%2Fx')
  assert.deepEqual(
    [proxy.status, proxy.headers.get('location')],
    [301, `${server.url}/authorize_interaction?uri=web%2Bap%3A%2F%2Fx`],
  )
  const password = await anonymous.get('/.well-known/change-password')
  assert.equal(password.status, 301)
  assert.match(password.headers.get('location') ?? '', /\/auth\/edit$/)
  assert.equal((await anonymous.get('/.well-known/nodeinfo')).status, 200)
  assert.equal((await anonymous.get('/nodeinfo/2.0')).status, 200)
  for (const accept of ['*/*', 'application/json', 'text/html']) {
    const { json, headers } = await anonymous.get('/.well-known/oauth-authorization-server', {}, { accept })
    assert.match(headers.get('content-type') ?? '', /^application\/json/, accept)
    assert.equal((json as { issuer: string }).issuer, `${server.url}/`)
  }
  for (const method of ['GET', 'POST']) {
    const { headers } = await anonymous.request(method, '/oauth/userinfo', {
      headers: { origin: 'https://app.example' },
    })
    assert.equal(headers.get('access-control-allow-origin'), '*', method)
  }
})

test('NodeInfo names Mastodon and the version of its API, if it is to', async t => {
  const server = await startServer(t, { env: { NODEINFO_AS_MASTODON: 'on' } })
  const { software } = (await (await fetch(`${server.url}/nodeinfo/2.0`)).json()) as {
    software: { name: string; version: string }
  }
  assert.equal(software.name, 'mastodon')
  assert.match(software.version, /^4\.7\.0\+millrace-/)
})
