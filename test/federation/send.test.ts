import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { localUri, startPeer, type Delivery } from '../support/federation/peer.ts'
import { watchPutOff } from '../support/federation/put_off.ts'
import { hasType, runScheduled, storeRemoteAccount } from './federation_fixtures.ts'

/* What local people do leaves for other servers. */

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

const follow = (server: TestServer, follower: string, target: Person): Promise<unknown> =>
  sql(server, "insert into follows (account_id, target_account_id, uri) values ($1, $2, 'https://a.example/f/1')", [
    follower,
    target.id,
  ])

const runNow = (server: TestServer, job: string | undefined): Promise<unknown> =>
  sql(
    server,
    `with due as (select j.id from graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now()) j)
     select pg_notify('jobs:insert', '{"count": 1}') from due`,
    [job],
  )

/** Checks the signature of a delivery with the key in the sender's document. */
async function checkSignature(server: TestServer, { headers, path, body }: Delivery, sender: Person) {
  const document = await fetch(localUri(server, sender.id), { headers: { accept: 'application/activity+json' } })
  const { publicKey } = (await document.json()) as { publicKey: { id: string; publicKeyPem: string } }
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  assert.equal(headers['digest'], digest)
  const [, keyId, names = '', signature = ''] =
    /^keyId="([^"]+)",algorithm="rsa-sha256",headers="([^"]+)",signature="([^"]+)"$/.exec(
      String(headers['signature']),
    ) ?? []
  assert.equal(keyId, publicKey.id)
  assert.equal(names, '(request-target) host date digest content-type')
  const text = names
    .split(' ')
    .map(name => `${name}: ${name === '(request-target)' ? `post ${path}` : String(headers[name])}`)
    .join('\n')
  const key = createPublicKey(publicKey.publicKeyPem)
  assert.ok(verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64')), 'the signature fits')
}

test('following, liking and blocking a remote account sends an activity, and undoing it another', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const id = await storeRemoteAccount(server, carol)
  const actor = localUri(server, alice.id)
  await alice.post(`/api/v1/accounts/${id}/follow`)
  const sent = await peer.next(hasType('Follow'))
  const { '@context': _, ...followed } = sent.activity
  assert.equal(sent.path, new URL(`${carol.uri}/inbox`).pathname)
  assert.match(String(followed['id']), new RegExp(`^${actor}#follows/\\d+$`))
  assert.deepEqual([followed['type'], followed['actor'], followed['object']], ['Follow', actor, carol.uri])
  await checkSignature(server, sent, alice)
  await alice.post(`/api/v1/accounts/${id}/unfollow`)
  const undone = await peer.next(hasType('Undo'))
  assert.deepEqual([undone.activity['actor'], undone.activity['object']], [actor, followed])

  const note = `${carol.uri}/statuses/1`
  const [status] = await sql(
    server,
    `insert into statuses (account_id, local, uri, content, visibility) values ($1, false, $2, '<p>hi</p>', 'public')
     returning id::text`,
    [id, note],
  )
  await alice.post(`/api/v1/statuses/${String(status?.['id'])}/favourite`)
  const like = (await peer.next(hasType('Like'))).activity
  assert.deepEqual([like['actor'], like['object']], [actor, note])
  await alice.post(`/api/v1/statuses/${String(status?.['id'])}/unfavourite`)
  const unlike = (await peer.next(hasType('Undo'))).activity
  assert.equal((unlike['object'] as { id: string }).id, like['id'])

  await follow(server, id, alice)
  await alice.post(`/api/v1/accounts/${id}/block`)
  const block = (await peer.next(hasType('Block'))).activity
  assert.deepEqual([block['actor'], block['object']], [actor, carol.uri])
  const reject = (await peer.next(hasType('Reject'))).activity
  const ended = { id: 'https://a.example/f/1', type: 'Follow', actor: carol.uri, object: actor }
  assert.deepEqual([reject['actor'], reject['object']], [actor, ended])
  await alice.post(`/api/v1/accounts/${id}/unblock`)
  assert.equal((await peer.next(hasType('Undo'))).activity['actor'], actor)
})

test('a remote follow request is answered when it is decided', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, dave] = [peer.actor('carol'), peer.actor('dave')]
  const [first, second] = [await storeRemoteAccount(server, carol), await storeRemoteAccount(server, dave)]
  for (const [id, uri] of [
    [first, 'https://a.example/1'],
    [second, 'https://a.example/2'],
  ])
    await sql(server, 'insert into follow_requests (account_id, target_account_id, uri) values ($1, $2, $3)', [
      id,
      alice.id,
      uri,
    ])
  await alice.post(`/api/v1/follow_requests/${first}/authorize`)
  const accept = (await peer.next(hasType('Accept'))).activity
  const actor = localUri(server, alice.id)
  assert.deepEqual(accept['object'], { id: 'https://a.example/1', type: 'Follow', actor: carol.uri, object: actor })
  await alice.post(`/api/v1/follow_requests/${second}/reject`)
  const reject = (await peer.next(hasType('Reject'))).activity
  assert.deepEqual(reject['object'], { id: 'https://a.example/2', type: 'Follow', actor: dave.uri, object: actor })
})

test('a post is delivered once to each server of followers, then its edit, its boost and its deletion', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  for (const name of ['carol', 'dave']) await follow(server, await storeRemoteAccount(server, peer.actor(name)), alice)
  const actor = localUri(server, alice.id)
  const status = await alice.postStatus('hello')
  const note = `${actor}/statuses/${status.id}`
  const create = await peer.next(hasType('Create'))
  assert.equal(create.path, '/inbox', 'the shared inbox')
  assert.deepEqual([create.activity['to'], create.activity['cc']], [[PUBLIC], [`${actor}/followers`]])
  assert.equal((create.activity['object'] as { id: string }).id, note)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited' })
  const update = (await peer.next(hasType('Update'))).activity
  assert.match(String(update['id']), new RegExp(`^${note}#updates/\\d+$`))
  assert.match((update['object'] as { content: string }).content, /edited/)
  await alice.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await peer.next(hasType('Announce'))).activity['object'], note)
  await alice.post(`/api/v1/statuses/${status.id}/unreblog`)
  const undo = (await peer.next(hasType('Undo'))).activity
  assert.equal((undo['object'] as { object: string }).object, note)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  const deletion = (await peer.next(hasType('Delete'))).activity
  assert.deepEqual(deletion['object'], { id: note, type: 'Tombstone', atomUri: note })
  assert.deepEqual(peer.received, [], 'nothing twice')
})

test('a post that a local account has boosted is edited and deleted where the booster has followers', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const peer = await startPeer(t)
  await follow(server, await storeRemoteAccount(server, peer.actor('carol')), bob)
  const status = await alice.postStatus('to be boosted')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  const { activity } = await peer.next(hasType('Announce'))
  assert.ok(!JSON.stringify(activity['@context']).includes('webfinger'), 'that context is fetched for actors only')
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited' })
  const update = await peer.next(hasType('Update'))
  assert.match(JSON.stringify(update.activity['object']), /edited/)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.match(JSON.stringify((await peer.next(hasType('Delete'))).activity['object']), new RegExp(status.id))
})

test('the result of a poll reaches the servers that know it by a boost', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const peer = await startPeer(t)
  await follow(server, await storeRemoteAccount(server, peer.actor('carol')), bob)
  const poll = await alice.postStatus('drinks?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
  await bob.post(`/api/v1/statuses/${poll.id}/reblog`)
  await peer.next(hasType('Announce'))
  await sql(server, 'update polls set expires_at = now() where status_id = $1', [poll.id])
  await runScheduled(t, server, 'polls.end')
  assert.match(JSON.stringify((await peer.next(hasType('Update'))).activity['object']), /"closed"/)
})

test('nothing is delivered to accounts that are not addressed', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [followers, mentioned, others] = [await startPeer(t), await startPeer(t), await startPeer(t)]
  await follow(server, await storeRemoteAccount(server, followers.actor('follower')), alice)
  const named = mentioned.actor('named')
  // A mention names no port.
  await storeRemoteAccount(server, named, { domain: 'mentioned.example' })
  await follow(server, await storeRemoteAccount(server, others.actor('other')), bob)
  const actor = localUri(server, alice.id)
  const addressed = async (visibility: string) => {
    const text = `@${named.username}@mentioned.example ${visibility}`
    await alice.postStatus(text, { visibility })
    const create = await mentioned.next(hasType('Create'))
    if (visibility !== 'direct') await followers.next(hasType('Create'))
    return [create.activity['to'], create.activity['cc']]
  }
  const crowd = `${actor}/followers`
  assert.deepEqual(await addressed('public'), [[PUBLIC], [crowd, named.uri]])
  assert.deepEqual(await addressed('unlisted'), [[crowd], [PUBLIC, named.uri]])
  assert.deepEqual(await addressed('private'), [[crowd], [named.uri]])
  assert.deepEqual(await addressed('direct'), [[named.uri], []])
  // Deliveries of another post show that nothing else was under way.
  await alice.postStatus('last', { visibility: 'private' })
  await followers.next(hasType('Create'))
  assert.deepEqual([followers.received, mentioned.received, others.received], [[], [], []])
})

test('a failed delivery is retried before later ones about the same post', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  await follow(server, await storeRemoteAccount(server, peer.actor('carol')), alice)
  const putOff = await watchPutOff(t, server)
  peer.refuses = 503
  const status = await alice.postStatus('first')
  await peer.next(hasType('Create'))
  const [create] = await putOff(1)
  const [job] = await sql(
    server,
    'select extract(epoch from j.run_at - j.created_at)::float8 as seconds from graphile_worker.jobs j where j.id = $1',
    [create],
  )
  const { seconds } = job as { seconds: number }
  assert.ok(seconds > 14 && seconds < 15.5, `the first retry is after ${seconds} s`)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'second' })
  const [, update] = await putOff(2)
  assert.deepEqual(peer.received, [], 'the update waits')
  peer.refuses = undefined
  await runNow(server, create)
  await peer.next(hasType('Create'))
  await runNow(server, update)
  await peer.next(hasType('Update'))
})

test('remote followers receive a changed profile', async t => {
  const { server } = await people(t)
  const image = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='
  const change = { display_name: 'Alice', note: 'about #Mills', avatar: image, header: image }
  const edited = async (method: string, path: string): Promise<Record<string, unknown>> => {
    const [alice, peer] = [await person(server, 'alice'), await startPeer(t)]
    if (method === 'DELETE') assert.equal((await alice.patch('/api/v1/profile', change)).status, 200)
    await follow(server, await storeRemoteAccount(server, peer.actor('carol')), alice)
    const response = await alice.request(method, path, { body: method === 'DELETE' ? undefined : change })
    assert.equal(response.status, 200, response.text)
    return (await peer.next(hasType('Update'))).activity['object'] as Record<string, unknown>
  }
  // At the same time, because updates are put off for some seconds.
  const actors = await Promise.all([
    edited('PATCH', '/api/v1/accounts/update_credentials'),
    edited('PATCH', '/api/v1/profile'),
    edited('PUT', '/api/v1/profile'),
    edited('DELETE', '/api/v1/profile/avatar'),
    edited('DELETE', '/api/v1/profile/header'),
  ])
  for (const [at, actor] of actors.entries()) {
    const tags = (actor['tag'] as { name: string }[]).map(tag => tag.name)
    assert.deepEqual([actor['name'], tags], ['Alice', ['#Mills']])
    assert.deepEqual(['icon' in actor, 'image' in actor], [at !== 3, at !== 4])
  }
})
