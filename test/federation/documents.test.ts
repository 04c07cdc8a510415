import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'tap'
import type { Client, ClientResponse } from '../support/client.ts'
import { startPeer } from '../support/federation/peer.ts'
import { people, person, sql, waitForEventLog } from '../support/people.ts'
import { accountOf, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Local objects as other servers read them. */

type Document = Record<string, unknown>

const ACCEPT = { accept: 'application/activity+json' }
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

const fetchFrom =
  (client: Client) =>
  (path: string, accept = ACCEPT.accept) =>
    client.get(path, {}, { accept })

/** The document, which must be one. */
function documentOf(response: ClientResponse, maxAgeS: number): Document {
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers.get('content-type'), 'application/activity+json; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), `public, max-age=${maxAgeS}`)
  const document = response.json as Document
  assert.equal((document['@context'] as unknown[])[0], 'https://www.w3.org/ns/activitystreams')
  return document
}

test('an account is a document for servers, and redirects browsers to its page', async t => {
  const { alice, bob, server, anonymous } = await people(t, 'alice', 'bob')
  const get = fetchFrom(anonymous)
  await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice',
    note: 'About #Mills',
    locked: true,
    discoverable: true,
    fields_attributes: [{ name: 'Site', value: 'here' }],
  })
  const id = `${server.url}/ap/users/${alice.id}`
  const actor = documentOf(await get(`/ap/users/${alice.id}`), 180)
  const key = actor['publicKey'] as { id: string; owner: string; publicKeyPem: string }
  assert.deepEqual([key.id, key.owner], [`${id}#main-key`, id])
  assert.equal(createPublicKey(key.publicKeyPem).asymmetricKeyDetails?.modulusLength, 2048)
  const { '@context': context, publicKey, summary, tag, published, ...rest } = actor
  assert.ok(context && publicKey)
  assert.match(String(summary), /#<span>Mills<\/span>/)
  assert.match(String(published), /^\d{4}-\d\d-\d\dT00:00:00Z$/)
  assert.deepEqual(tag, [{ type: 'Hashtag', href: `${server.url}/tags/mills`, name: '#Mills' }])
  assert.deepEqual(rest, {
    id,
    type: 'Person',
    webfinger: `${alice.username}@${server.config.localDomain}`,
    preferredUsername: alice.username,
    name: 'Alice',
    url: `${server.url}/@${alice.username}`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    following: `${id}/following`,
    followers: `${id}/followers`,
    featured: `${id}/collections/featured`,
    featuredTags: `${id}/collections/tags`,
    featuredCollections: `${id}/featured_collections`,
    endpoints: { sharedInbox: `${server.url}/inbox` },
    memorial: false,
    showFeatured: true,
    showMedia: true,
    showRepliesInMedia: true,
    interactionPolicy: { canFeature: { automaticApproval: [`${id}/followers`] } },
    manuallyApprovesFollowers: true,
    discoverable: true,
    indexable: false,
    attachment: [{ type: 'PropertyValue', name: 'Site', value: 'here' }],
  })
  // The same under the address of the page; the key stays.
  assert.deepEqual(documentOf(await get(`/@${alice.username}`), 180), actor)
  // A range without parameters includes the type with each profile (RFC 9110, section 12.5.1).
  for (const accept of [
    'application/json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'application/ld+json',
  ])
    assert.equal((await get(`/ap/users/${alice.id}`, accept)).status, 200, accept)
  const negotiated = await get(`/ap/users/${alice.id}`)
  assert.match(negotiated.headers.get('vary') ?? '', /Accept, Accept-Language, Cookie/)
  const page = await get(`/ap/users/${alice.id}`, 'text/html')
  assert.deepEqual([page.status, page.headers.get('location')], [302, `/@${alice.username}`])
  await sql(server, 'update accounts set moved_to_account_id = $2 where id = $1', [alice.id, bob.id])
  assert.equal(documentOf(await get(`/ap/users/${alice.id}`), 180)['movedTo'], `${server.url}/ap/users/${bob.id}`)
})

test('the state of an account decides which document other servers get', async t => {
  const { alice, server, anonymous } = await people(t, 'alice')
  const get = fetchFrom(anonymous)
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date(), display_name: 'Sue' } })
  const pending = await person(server, 'pending', { user: { approved: false } })
  const going = await person(server, 'going', { account: { deletion_requested_at: new Date() } })
  const [deleted] = await sql(server, "insert into accounts (username) values ('deleted') returning id::text")
  const { id } = await alice.postStatus('hello')
  await waitForEventLog(alice)
  const statuses = async (account: string) =>
    Promise.all(
      ['', '/outbox', '/followers', '/collections/tags'].map(
        async path => (await get(`/ap/users/${account}${path}`)).status,
      ),
    )
  assert.deepEqual(await statuses(alice.id), [200, 200, 200, 200])
  assert.deepEqual(await statuses(suspended.id), [200, 403, 403, 403])
  assert.deepEqual(await statuses(pending.id), [404, 404, 404, 404])
  assert.deepEqual(await statuses(going.id), [403, 403, 403, 403])
  assert.deepEqual(await statuses(String(deleted?.['id'])), [410, 410, 410, 410])
  assert.deepEqual(await statuses('999'), [404, 404, 404, 404])
  const minimal = documentOf(await get(`/ap/users/${suspended.id}`), 180)
  assert.deepEqual([minimal['name'], minimal['suspended'], minimal['summary']], [suspended.username, true, ''])
  assert.equal((await get(`/ap/users/${suspended.id}/statuses/${id}`)).status, 403)
  // Another account's status is not there, nor is an id that is none.
  assert.equal((await get(`/ap/users/999/statuses/${id}`)).status, 404)
  assert.equal((await get(`/ap/users/${alice.id}/statuses/x`)).status, 404)
})

test('posts are Notes, addressed according to their visibility', async t => {
  const { alice, bob, server, anonymous } = await people(t, 'alice', 'bob')
  const get = fetchFrom(anonymous)
  const actor = `${server.url}/ap/users/${alice.id}`
  const parent = await alice.postStatus('first')
  const status = await alice.postStatus(`hello @${bob.username} #Mills`, {
    in_reply_to_id: parent.id,
    spoiler_text: 'careful',
    language: 'en',
    visibility: 'unlisted',
  })
  const id = `${actor}/statuses/${status.id}`
  const note = documentOf(await get(`/ap/users/${alice.id}/statuses/${status.id}`), 180)
  const mention = `${server.url}/ap/users/${bob.id}`
  assert.equal(note['id'], id)
  assert.equal(note['type'], 'Note')
  assert.deepEqual([note['summary'], note['sensitive']], ['careful', true])
  assert.equal(note['inReplyTo'], `${actor}/statuses/${parent.id}`)
  assert.equal(note['url'], status['url'])
  assert.equal(note['attributedTo'], actor)
  assert.deepEqual([note['to'], note['cc']], [[`${actor}/followers`], [PUBLIC, mention]])
  assert.match(String(note['published']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.equal(note['content'], status['content'])
  assert.deepEqual(note['contentMap'], { en: status['content'] })
  assert.deepEqual(note['tag'], [
    { type: 'Mention', href: mention, name: `@${bob.username}@${server.config.localDomain}` },
    { type: 'Hashtag', href: `${server.url}/tags/Mills`, name: '#Mills' },
  ])
  assert.deepEqual(note['likes'], { id: `${id}/likes`, type: 'Collection', totalItems: 0 })
  assert.deepEqual(note['interactionPolicy'], { canQuote: { automaticApproval: [PUBLIC] } })
  assert.equal('updated' in note, false)
  assert.deepEqual(documentOf(await get(new URL(String(status['url'])).pathname), 180), note)
  const create = documentOf(await get(`/ap/users/${alice.id}/statuses/${status.id}/activity`), 180)
  const { '@context': _, ...inner } = note
  assert.deepEqual([create['id'], create['type'], create['actor']], [`${id}/activity`, 'Create', actor])
  assert.deepEqual([create['to'], create['cc'], create['object']], [note['to'], note['cc'], inner])
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited' })
  const edited = documentOf(await get(`/ap/users/${alice.id}/statuses/${status.id}`), 180)
  assert.match(String(edited['updated']), /Z$/)
  // Anybody gets 404 for what is not for everybody.
  for (const visibility of ['private', 'direct']) {
    const hidden = await alice.postStatus('secret', { visibility })
    assert.equal((await get(`/ap/users/${alice.id}/statuses/${hidden.id}`)).status, 404, visibility)
    assert.equal((await get(`/ap/users/${alice.id}/statuses/${hidden.id}/activity`)).status, 404, visibility)
    assert.equal((await get(`/ap/users/${alice.id}/statuses/${hidden.id}/replies`)).status, 404, visibility)
  }
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await get(`/ap/users/${alice.id}/statuses/${status.id}`)).status, 404)
})

test('boosts are Announces, polls are Questions', async t => {
  const { alice, bob, server, anonymous } = await people(t, 'alice', 'bob')
  const get = fetchFrom(anonymous)
  const poll = await alice.postStatus('choose', {
    poll: { options: ['yes', 'no'], expires_in: 3600, multiple: true },
  })
  const boosted = (await bob.post(`/api/v1/statuses/${poll.id}/reblog`)).json as { id: string }
  const pollId = (poll['poll'] as { id: string }).id
  await bob.post(`/api/v1/polls/${pollId}/votes`, { choices: [1] })
  const question = documentOf(await get(`/ap/users/${alice.id}/statuses/${poll.id}`), 180)
  assert.equal(question['type'], 'Question')
  assert.deepEqual(question['anyOf'], [
    { type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 0 } },
    { type: 'Note', name: 'no', replies: { type: 'Collection', totalItems: 1 } },
  ])
  assert.equal(question['votersCount'], 1)
  assert.match(String(question['endTime']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual((question['shares'] as Document)['totalItems'], 1)
  const booster = `${server.url}/ap/users/${bob.id}`
  const announce = documentOf(await get(`/ap/users/${bob.id}/statuses/${boosted.id}/activity`), 180)
  assert.deepEqual(
    [announce['id'], announce['type'], announce['actor'], announce['object'], announce['to'], announce['cc']],
    [
      `${booster}/statuses/${boosted.id}/activity`,
      'Announce',
      booster,
      question['id'],
      [PUBLIC],
      [`${booster}/followers`, `${server.url}/ap/users/${alice.id}`],
    ],
  )
})

test('collections contain public objects only', async t => {
  const { alice, bob, server, anonymous } = await people(t, 'alice', 'bob')
  const get = fetchFrom(anonymous)
  const actor = `${server.url}/ap/users/${alice.id}`
  const path = `/ap/users/${alice.id}`
  await bob.follow(alice)
  const [first, hidden] = [await alice.postStatus('one'), await alice.postStatus('two', { visibility: 'private' })]
  const reply = await alice.postStatus('myself', { in_reply_to_id: first.id })
  const response = await bob.postStatus(`@${alice.username} well`, { in_reply_to_id: first.id })
  for (const { id } of [first, hidden]) await alice.post(`/api/v1/statuses/${id}/pin`)
  await alice.post('/api/v1/featured_tags', { name: 'Mills' })

  const outbox = documentOf(await get(`${path}/outbox`), 180)
  assert.deepEqual(
    [outbox['first'], outbox['last']],
    [`${actor}/outbox?page=true`, `${actor}/outbox?page=true&min_id=0`],
  )
  const page = documentOf(await get(`${path}/outbox?page=true`), 60)
  const ids = (page['orderedItems'] as { object: { id: string } }[]).map(({ object }) => object.id)
  assert.deepEqual(ids, [`${actor}/statuses/${reply.id}`, `${actor}/statuses/${first.id}`])
  assert.equal(page['prev'], `${actor}/outbox?page=true&min_id=${reply.id}`)
  const newer = documentOf(await get(`${path}/outbox?page=true&min_id=${first.id}`), 60)
  assert.equal((newer['orderedItems'] as unknown[]).length, 1)

  assert.equal(documentOf(await get(`${path}/followers`), 180)['totalItems'], 1)
  const followers = documentOf(await get(`${path}/followers?page=1`), 0)
  assert.deepEqual(followers['orderedItems'], [`${server.url}/ap/users/${bob.id}`])
  const following = documentOf(await get(`/ap/users/${bob.id}/following?page=1`), 0)
  assert.deepEqual(following['orderedItems'], [actor])
  await alice.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  assert.equal('first' in documentOf(await get(`${path}/followers`), 180), false)
  assert.equal((await get(`${path}/followers?page=1`)).status, 403)

  const featured = documentOf(await get(`${path}/collections/featured`), 180)
  const [second, one] = featured['orderedItems'] as [string, { id: string }]
  assert.deepEqual([second, one.id], [`${actor}/statuses/${hidden.id}`, `${actor}/statuses/${first.id}`])
  const tags = documentOf(await get(`${path}/collections/tags`), 180)
  assert.deepEqual(tags['items'], [
    { type: 'Hashtag', href: `${server.url}/@${alice.username}/tagged/Mills`, name: '#Mills' },
  ])
  const replies = `${path}/statuses/${first.id}/replies`
  const own = documentOf(await get(`${replies}?page=true`), 0)
  assert.deepEqual(
    (own['items'] as { id: string }[]).map(({ id }) => id),
    [`${actor}/statuses/${reply.id}`],
  )
  const others = documentOf(await get(`${replies}?only_other_accounts=true&page=true`), 0)
  assert.deepEqual(others['items'], [`${server.url}/ap/users/${bob.id}/statuses/${response.id}`])
  assert.equal((await get(`${path}/followers_synchronization`)).status, 401)
  assert.equal((await get(`${path}/collections/other`)).status, 404)
})

test('a quote names the quoted status and its authorization', async t => {
  const { alice, bob, server, anonymous } = await people(t, 'alice', 'bob')
  const get = fetchFrom(anonymous)
  const quoted = await alice.postStatus('quote me')
  const quoting = await bob.postStatus('look', { quoted_status_id: quoted.id })
  const note = documentOf(await get(`/ap/users/${bob.id}/statuses/${quoting.id}`), 180)
  const uri = `${server.url}/ap/users/${alice.id}/statuses/${quoted.id}`
  assert.deepEqual([note['quote'], note['_misskey_quote'], note['quoteUri']], [uri, uri, uri])
  const permission = documentOf(await get(new URL(String(note['quoteAuthorization'])).pathname), 30)
  assert.deepEqual(
    [permission['type'], permission['attributedTo'], permission['interactingObject'], permission['interactionTarget']],
    ['QuoteAuthorization', `${server.url}/ap/users/${alice.id}`, note['id'], uri],
  )
  await alice.post(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`)
  assert.equal((await get(new URL(String(note['quoteAuthorization'])).pathname)).status, 404)
})

test('the instance actor has a document', async t => {
  const { anonymous, server } = await people(t)
  const get = fetchFrom(anonymous)
  const actor = documentOf(await get('/actor'), 600)
  const { '@context': _, publicKey, ...rest } = actor
  const id = `${server.url}/actor`
  assert.equal((publicKey as { owner: string }).owner, id)
  assert.deepEqual(rest, {
    id,
    type: 'Application',
    preferredUsername: 'mastodon.internal',
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    url: `${server.url}/about/more?instance_actor=true`,
    manuallyApprovesFollowers: true,
    endpoints: { sharedInbox: `${server.url}/inbox` },
  })
  assert.equal(documentOf(await get('/actor/outbox'), 600)['totalItems'], 0)
})

test('a post for chosen people is a document for them, unless its author blocks them', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const known = accountOf(await waitUntilProcessed(server, alice, bob))
  const { id } = await alice.postStatus('only you', { visibility: 'direct' })
  await sql(server, 'insert into mentions (status_id, account_id) values ($1, $2)', [id, known.id])
  const path = `/ap/users/${alice.id}/statuses/${id}`
  assert.equal((await bob.ask(server, path)).status, 200)
  await alice.post(`/api/v1/accounts/${known.id}/block`)
  await waitForEventLog(alice)
  assert.equal((await bob.ask(server, path)).status, 404)
  const outbox = JSON.parse((await bob.ask(server, `/ap/users/${alice.id}/outbox?page=true`)).text) as Document
  assert.deepEqual(outbox['orderedItems'], [])
})
