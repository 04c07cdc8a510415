import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { makeCertificates, noCertificates, type Certificates } from '../support/certificates.ts'
import { localUri, PUBLIC } from '../support/federation/peer.ts'
import { person, type Person } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { startTlsTerminator } from '../support/tls_terminator.ts'
import {
  CHECKS,
  noForeignPeers,
  startForeignPeer,
  type Document,
  type ForeignPeer,
} from '../support/foreign/start_peer.ts'

/*
 * Programs of others that share no code with this server or its libraries of federation:
 * activitypub-express as a peer over TLS, and the checks of activitypub-testing.
 */

const skip = noForeignPeers || noCertificates

type Entity = Record<string, unknown> & { id: string }

interface World {
  readonly server: TestServer
  readonly alice: Person
  readonly aliceUri: string
  readonly certificates: Certificates
}

/** A server of ours that others reach by TLS, with one person. */
async function startWorld(t: Test): Promise<World> {
  const certificates = makeCertificates(t)
  const known = getCACertificates()
  setDefaultCACertificates([...known, readFileSync(certificates.authority, 'utf8')])
  t.after(() => setDefaultCACertificates(known))
  const [inner, outer] = [await freePort(), await freePort()]
  const publicUrl = `https://localhost:${outer}`
  const started = await startServer(t, { env: { PORT: String(inner), PUBLIC_URL: publicUrl } })
  const server = { ...started, url: `http://127.0.0.1:${inner}` }
  await startTlsTerminator(t, certificates, outer, inner)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  return { server, alice, aliceUri: localUri({ ...server, url: publicUrl }, alice.id), certificates }
}

async function find(who: Person, { domain }: ForeignPeer, name: string): Promise<Entity> {
  const response = await who.get('/api/v2/search', { q: `@${name}@${domain}`, resolve: 'true', type: 'accounts' })
  assert.equal(response.status, 200, response.text)
  const [account] = (response.json as { accounts: Entity[] }).accounts
  assert.ok(account, 'found by WebFinger')
  return account
}

const relationTo = async (who: Person, { id }: Entity): Promise<Record<string, unknown>> =>
  ((await who.get('/api/v1/accounts/relationships', { id })).json as Record<string, unknown>[])[0] ?? {}

/** Whether an activity has this type and this object, given by its id or in full. */
const isOf =
  (type: string, object?: unknown) =>
  (activity: Document): boolean => {
    if (activity['type'] !== type) return false
    const given = activity['object']
    return object === undefined || (typeof given === 'object' && given ? (given as Document)['id'] : given) === object
  }

test('a person of another program follows, is followed, and reads all that is posted', { skip }, async t => {
  const { alice, aliceUri, certificates } = await startWorld(t)
  const peer = await startForeignPeer(t, certificates, 'carol')
  const carol = await find(alice, peer, 'carol')
  assert.equal(carol['acct'], `carol@${peer.domain}`)

  await alice.post(`/api/v1/accounts/${carol.id}/follow`)
  await peer.received(isOf('Follow', peer.actor))
  await becomes(async () => (await relationTo(alice, carol))['following'], true, 'carol accepts')

  const notified = await alice.stream('user:notification')
  const follow = await peer.publish({ type: 'Follow', to: [aliceUri], object: aliceUri })
  await peer.received(isOf('Accept', follow))
  const { payload } = await notified.next('notification')
  assert.deepEqual([(payload as Entity)['type'], ((payload as Entity)['account'] as Entity).id], ['follow', carol.id])

  const posted = await alice.postStatus('read abroad', { spoiler_text: 'news' })
  const created = (await peer.received(isOf('Create', posted['uri'])))['object'] as Document
  assert.match(String(created['content']), /read abroad/)
  assert.deepEqual([created['summary'], created['attributedTo']], ['news', aliceUri])
  await alice.put(`/api/v1/statuses/${posted.id}`, { status: 'read abroad, edited' })
  const updated = (await peer.received(isOf('Update', posted['uri'])))['object'] as Document
  assert.match(String(updated['content']), /edited/)
  await alice.delete(`/api/v1/statuses/${posted.id}`)
  await peer.received(isOf('Delete', posted['uri']))

  await peer.publish({ type: 'Undo', to: [aliceUri], object: follow })
  await becomes(async () => (await relationTo(alice, carol))['followed_by'], false, 'carol unfollows')
  await alice.post(`/api/v1/accounts/${carol.id}/unfollow`)
  await peer.received(isOf('Undo'))
})

test('a locked account approves the follow of a person of another program', { skip }, async t => {
  const { alice, aliceUri, certificates } = await startWorld(t)
  await alice.patch('/api/v1/accounts/update_credentials', { locked: 'true' })
  const peer = await startForeignPeer(t, certificates, 'carol')
  const follow = await peer.publish({ type: 'Follow', to: [aliceUri], object: aliceUri })
  const requests = async (): Promise<Entity[]> => (await alice.get('/api/v1/follow_requests')).json as Entity[]
  await becomes(async () => (await requests()).length, 1, 'the request arrives')
  const [carol] = await requests()
  assert.ok(carol)
  await alice.post(`/api/v1/follow_requests/${carol.id}/authorize`)
  await peer.received(isOf('Accept', follow))
  assert.equal((await relationTo(alice, carol))['followed_by'], true)
})

test('posts of a person of another program are read, favourited, boosted, edited and deleted', { skip }, async t => {
  const { server, alice, aliceUri, certificates } = await startWorld(t)
  const peer = await startForeignPeer(t, certificates, 'carol')
  const carol = await find(alice, peer, 'carol')
  await alice.post(`/api/v1/accounts/${carol.id}/follow`)
  await becomes(async () => (await relationTo(alice, carol))['following'], true, 'carol accepts')

  const home = await alice.stream('user')
  const note = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${peer.url}/o/note`,
    type: 'Note',
    attributedTo: peer.actor,
    content: `<p>hello <a href="${aliceUri}">@alice</a></p>`,
    published: new Date().toISOString(),
    to: [PUBLIC],
    cc: [peer.followers, aliceUri],
    tag: [{ type: 'Mention', href: aliceUri, name: `@${alice.username}@${server.config.localDomain}` }],
  }
  const audience = { to: [PUBLIC], cc: [peer.followers, aliceUri] }
  await peer.publish({ type: 'Create', ...audience, object: note, isStored: true })
  const update = (await home.next('update')).payload as Entity
  assert.match(String(update['content']), /hello/)
  assert.deepEqual([update['uri'], (update['account'] as Entity).id], [note.id, carol.id])
  const mention = (await home.next('notification')).payload as Entity
  assert.equal(mention['type'], 'mention')

  await alice.post(`/api/v1/statuses/${update.id}/favourite`)
  await peer.received(isOf('Like', note.id))
  await alice.post(`/api/v1/statuses/${update.id}/unfavourite`)
  await peer.received(activity => activity['type'] === 'Undo' && isOf('Like', note.id)(activity['object'] as Document))
  await alice.post(`/api/v1/statuses/${update.id}/reblog`)
  await peer.received(isOf('Announce', note.id))
  await alice.post(`/api/v1/statuses/${update.id}/unreblog`)
  await peer.received(
    activity => activity['type'] === 'Undo' && isOf('Announce', note.id)(activity['object'] as Document),
  )
  const reply = await alice.postStatus(`@carol@${peer.domain} hello back`, { in_reply_to_id: update.id })
  const answered = (await peer.received(isOf('Create', reply['uri'])))['object'] as Document
  assert.equal(answered['inReplyTo'], note.id)

  const liked = await peer.publish({ type: 'Like', to: [aliceUri], object: reply['uri'] })
  assert.equal(((await home.next('notification')).payload as Entity)['type'], 'favourite')
  await peer.publish({ type: 'Announce', ...audience, object: reply['uri'] })
  assert.equal(((await home.next('notification')).payload as Entity)['type'], 'reblog')
  const counts = async (): Promise<unknown> => {
    const { favourites_count, reblogs_count } = (await alice.get(`/api/v1/statuses/${reply.id}`)).json as Entity
    return [favourites_count, reblogs_count]
  }
  assert.deepEqual(await counts(), [1, 1])
  await peer.publish({ type: 'Undo', to: [aliceUri], object: liked })
  await becomes(counts, [0, 1], 'the Like is undone')

  const edited = { ...note, content: '<p>hello, edited</p>', updated: new Date(Date.now() + 1000).toISOString() }
  await peer.publish({ type: 'Update', ...audience, object: { ...edited, content: '<p>forged</p>' }, isForged: true })
  await peer.publish({ type: 'Update', ...audience, object: edited, isStored: true })
  assert.match(String(((await home.next('status.update')).payload as Entity)['content']), /hello, edited/)
  await peer.publish({ type: 'Delete', ...audience, object: note.id })
  assert.equal((await home.next('delete')).payload, update.id)
  assert.equal((await alice.get(`/api/v1/statuses/${update.id}`)).status, 404)
})

/** Checks that are about servers to which clients send activities, which this one is not. */
const NOT_OURS = ['outbox-post-servers-must-return-a-201-created-http-code']

test("the checks of activitypub-testing pass on a person's actor", { skip }, async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await alice.postStatus('checked')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CHECKS, 'test', 'actor', `${server.url}/users/${alice.username}`],
    { env: { PATH: process.env['PATH'] }, maxBuffer: 2 ** 24 },
  )
  const outcomes = stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as { result: { outcome: string }; test: { slug: string } })
    .map(({ result, test: { slug } }) => [slug, result.outcome] as const)
  const of = (outcome: string): string[] => outcomes.filter(([, got]) => got === outcome).map(([slug]) => slug)
  assert.deepEqual(of('failed'), NOT_OURS)
  for (const slug of [
    'actor-must-serve-as2-object-to-get',
    'actor-objects-must-have-inbox-outbox-properties',
    'outbox-must-be-an-orderedcollection',
    'followers-collection-must-be-a-collection',
    'following-collection-must-be-a-collection',
  ])
    assert.ok(of('passed').includes(slug), `${slug}: ${JSON.stringify(outcomes)}`)
})
