import assert from 'node:assert/strict'
import { test } from 'tap'
import { CONTEXT, localUri, PUBLIC, startPeer, type PeerActor } from '../../support/federation/peer.ts'
import { people, person, sql } from '../../support/people.ts'
import { entity as stored, picture, upload } from '../../media/attachments/media_fixtures.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { storeRemoteAccount } from '../federation_fixtures.ts'
import { accountOf, findAccountId, followActor, waitUntilProcessed } from './receive_fixtures.ts'

test('an actor becomes an account, and its Update changes it', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob', {
    name: 'Bob :blob:',
    summary: '<p onclick="x()">I am <em>Bob</em></p><script>alert(1)</script>',
    manuallyApprovesFollowers: true,
    published: '2020-02-03T04:05:06Z',
    tag: [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: `${peer.url}/blob.png` } }],
    attachment: [{ type: 'PropertyValue', name: 'Site', value: '<a href="https://bob.example">site</a>' }],
    icon: { type: 'Image', url: `${peer.url}/avatar.png` },
  })
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  assert.deepEqual(
    [account['acct'], account['display_name'], account['locked'], account['created_at'], account['avatar']],
    [bob.acct, 'Bob :blob:', true, '2020-02-03T00:00:00.000Z', `${peer.url}/avatar.png`],
  )
  assert.equal(account['note'], '<p>I am <em>Bob</em></p>')
  assert.deepEqual(
    entities(account['emojis']).map(emoji => emoji['url']),
    [`${peer.url}/blob.png`],
  )
  assert.equal(
    entities(account['fields'])[0]?.['value'],
    '<a href="https://bob.example" rel="nofollow noopener" target="_blank">site</a>',
  )
  const changed = { ...peer.documentOf(bob.uri), name: 'Robert', manuallyApprovesFollowers: false }
  await bob.send(server, bob.activity('Update', changed))
  const after = accountOf(await waitUntilProcessed(server, alice, bob))
  assert.deepEqual([after.id, after['display_name'], after['locked']], [account.id, 'Robert', false])
})

test('an account whose handle now belongs to another one has its id as its username, until it has a handle again', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  const [first, second] = [
    accountOf(await waitUntilProcessed(server, alice, bob)),
    accountOf(await waitUntilProcessed(server, alice, carol)),
  ]
  const lookup = async (acct: string) => {
    const response = await alice.get('/api/v1/accounts/lookup', { acct })
    return response.status === 200 ? entity(response.json) : undefined
  }
  const invalid = `${first.id}@handle.invalid`
  assert.equal(await lookup(invalid), undefined, 'its handle is valid')
  // Carol has taken the name of Bob, who has got another one that is not known here yet.
  const rename = async (actor: PeerActor, username: string, name: string) => {
    peer.rename(actor, username)
    const renamed = peer.serve({ ...peer.documentOf(actor.uri), name })
    await actor.send(server, actor.activity('Update', renamed))
    await waitUntilProcessed(server, alice, actor)
  }
  await rename(carol, bob.username, 'renamed')
  const renamed = await lookup(`${bob.username}@${peer.domain}`)
  assert.deepEqual([renamed?.id, renamed?.['display_name']], [second.id, 'renamed'])
  const shown = await lookup(invalid)
  assert.deepEqual([shown?.id, shown?.['username'], shown?.['acct']], [first.id, first.id, invalid])
  assert.deepEqual([shown?.['invalid_handle'], renamed?.['invalid_handle']], [true, undefined])
  assert.equal(await lookup(`${second.id}@handle.invalid`), undefined)
  assert.equal(await lookup('nobody@handle.invalid'), undefined)
  await rename(bob, `${bob.username}2`, 'back')
  const back = await lookup(`${bob.username}2@${peer.domain}`)
  assert.deepEqual([back?.id, back?.['acct']], [first.id, `${bob.username}2@${peer.domain}`])
  assert.equal(back?.['invalid_handle'], undefined)
  assert.equal(await lookup(invalid), undefined)
})

test('an actor cannot update another one, and a deleted actor is gone', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  await eve.send(server, eve.activity('Update', { ...peer.documentOf(bob.uri), name: 'Evil' }))
  await eve.send(server, eve.activity('Delete', bob.uri))
  await waitUntilProcessed(server, alice, eve)
  const seen = entity((await alice.get(`/api/v1/accounts/${account.id}`)).json)
  assert.equal(seen['display_name'], 'bob')
  const socket = await alice.stream('user')
  await followActor(server, alice, bob)
  const note = bob.note('last')
  await bob.send(server, bob.create(note))
  await socket.next('update', ({ payload }) => entity(payload)['uri'] === note.id)
  await bob.send(server, bob.activity('Delete', bob.uri))
  await socket.next('delete')
  assert.notEqual((await alice.get(`/api/v1/accounts/${account.id}`)).status, 200)
})

test('the copies of files of an account that its own server suspends are withheld, until it no longer is', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { id: account } = accountOf(await waitUntilProcessed(server, alice, bob))
  const file = stored(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))
  await sql(server, 'update media_attachments set account_id = $1 where id = $2', [account, file.id])
  const isShown = async (): Promise<number> => (await fetch(String(file['url']))).status
  assert.equal(await isShown(), 200)
  await bob.send(server, bob.activity('Update', { ...peer.documentOf(bob.uri), suspended: true }))
  await becomes(isShown, 404, 'the file is withheld')
  await bob.send(server, bob.activity('Update', { ...peer.documentOf(bob.uri), suspended: false }))
  await becomes(isShown, 200, 'the file is shown again')
})

test('a Delete of an account whose key is gone is accepted if its server confirms it', async t => {
  const { server } = await people(t)
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  for (const actor of [bob, carol]) {
    await storeRemoteAccount(server, actor)
    peer.serve({ ...peer.documentOf(actor.uri), publicKey: undefined })
  }
  const stored = ({ uri } = bob) => sql(server, `select from accounts where uri = $1 and suspended_at is null`, [uri])
  assert.ok((await carol.send(server, carol.activity('Delete', carol.uri))) >= 400)
  assert.equal((await stored(carol)).length, 1, 'the account is still there on its server')
  peer.documents.set(new URL(bob.uri).pathname, 410)
  assert.ok((await bob.send(server, bob.activity('Delete', bob.note('another')))) >= 400)
  const unsigned = { method: 'POST', body: JSON.stringify(bob.activity('Delete', bob.uri)) }
  assert.equal((await fetch(`${server.url}/inbox`, unsigned)).status, 401)
  assert.equal(await bob.send(server, bob.activity('Delete', bob.uri)), 202)
  await becomes(async () => (await stored()).length, 0, 'the account is deleted')
})

test('a report of another server reaches the moderators, unless its reports are rejected', async t => {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const [bob, eve] = [(await startPeer(t)).actor('bob'), (await startPeer(t)).actor('eve')]
  const status = await alice.postStatus('rude')
  const uris = [localUri(server, alice.id), `${localUri(server, alice.id)}/statuses/${status.id}`]
  await sql(server, `insert into domain_blocks (domain, severity, reject_reports) values ($1, 'noop', true)`, [
    eve.peer.domain,
  ])
  await eve.send(server, eve.activity('Flag', uris, { content: 'rejected' }))
  await waitUntilProcessed(server, alice, eve)
  const flag = bob.activity('Flag', uris, { content: 'look at this' })
  await bob.send(server, flag)
  await bob.send(server, flag)
  await waitUntilProcessed(server, alice, bob)
  const reports = entities((await moderator.get('/api/v1/admin/reports', { target_account_id: alice.id })).json)
  assert.deepEqual(
    reports.map(report => [report['comment'], report['forwarded'], entities(report['statuses']).map(one => one.id)]),
    [['look at this', null, [status.id]]],
  )
})

test('a report of another server contains only posts that this server may see', async t => {
  const { alice, other, server } = await people(t, 'alice', 'other')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const peer = await startPeer(t)
  const [bob, reporter] = [peer.actor('bob'), peer.actor('reporter')]
  await waitUntilProcessed(server, alice, bob)
  const post = async (text: string, visibility: string): Promise<string> =>
    (await alice.postStatus(text, { visibility })).id
  const open = [await post('open', 'public'), await post('unlisted', 'unlisted')]
  const toFollowers = await post('for followers', 'private')
  const toBob = await post('hello', 'direct')
  // A domain with a port is not read as a mention.
  await sql(server, 'insert into mentions (status_id, account_id) values ($1, $2)', [
    toBob,
    await findAccountId(server, bob),
  ])
  const hidden = await post(`@${other.username} hello`, 'direct')
  const own = localUri(server, alice.id)
  const uris = [own, ...[...open, toFollowers, toBob, hidden].map(id => `${own}/statuses/${id}`)]
  const reported = async (comment: string): Promise<string[]> => {
    await reporter.send(server, reporter.activity('Flag', uris, { content: comment }))
    await waitUntilProcessed(server, alice, reporter)
    const reports = entities((await moderator.get('/api/v1/admin/reports', { target_account_id: alice.id })).json)
    const made = reports.find(report => report['comment'] === comment)
    return entities(made?.['statuses']).map(one => one.id)
  }
  assert.deepEqual((await reported('first')).toSorted(), [...open, toBob].toSorted())
  await bob.send(server, bob.activity('Follow', own))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual((await reported('second')).toSorted(), [...open, toFollowers, toBob].toSorted())
})

test('a Flag names collections of the account', async t => {
  const { alice, other, server } = await people(t, 'alice', 'other')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const collections: Entity[] = []
  for (const owner of [alice, other]) {
    const made = await owner.post('/api/v1/collections', { name: 'Rude', sensitive: false, discoverable: true })
    collections.push(entity(entity(made.json)['collection']))
  }
  const bob = (await startPeer(t)).actor('bob')
  const uris = [localUri(server, alice.id), ...collections.map(one => one['uri'])]
  await bob.send(server, bob.activity('Flag', uris, { content: 'look at this' }))
  await waitUntilProcessed(server, alice, bob)
  const [told] = entities((await moderator.get('/api/v1/notifications', { types: 'admin.report' })).json)
  assert.deepEqual(entity(told?.['report'])['collection_ids'], [collections[0]?.id])
})

test('a Move moves local followers, once the target lists the account as an alias', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const target = peer.actor('new')
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  await followActor(server, alice, bob)
  const move = () => bob.send(server, bob.activity('Move', bob.uri, { target: target.uri }))
  await move()
  await waitUntilProcessed(server, alice, bob)
  const shown = async () => entity((await alice.get(`/api/v1/accounts/${account.id}`)).json)
  assert.equal((await shown())['moved'], undefined)
  peer.serve({ ...peer.documentOf(target.uri), alsoKnownAs: [bob.uri] })
  await move()
  await waitUntilProcessed(server, alice, bob)
  assert.equal(entity((await shown())['moved'])['acct'], target.acct)
})

test("only the actor's own featured collection changes pins", async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const status = await waitUntilProcessed(server, alice, bob)
  const account = accountOf(status)
  const pinned = async (): Promise<string[]> =>
    entities((await alice.get(`/api/v1/accounts/${account.id}/statuses`, { pinned: 'true' })).json).map(one => one.id)
  await bob.send(server, bob.activity('Add', status['uri'], { target: `${bob.uri}/another` }))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await pinned(), [])
  const unknown = peer.serve(bob.note('older', { '@context': CONTEXT, to: [PUBLIC] }))
  for (const object of [status['uri'], unknown.id, unknown.id])
    await bob.send(server, bob.activity('Add', object, { target: `${bob.uri}/featured` }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await pinned()).length, 2)
  await bob.send(server, bob.activity('Remove', unknown.id, { target: `${bob.uri}/featured` }))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await pinned(), [status.id])
})
