import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity } from '../statuses/status_fixtures.ts'
import { localUri, startPeer } from '../support/federation/peer.ts'
import { PASSWORD } from '../support/oauth.ts'
import { people, type Person } from '../support/people.ts'
import { signedIn } from '../support/signed_in.ts'
import { hasType, waitForJobs } from './federation_fixtures.ts'
import { accountOf, followActor, findAccountId, waitUntilProcessed } from './receive/receive_fixtures.ts'

const PAGE = '/settings/migration'

test('remote followers of a local account, and accounts that block it, receive its Move', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { carol, server } = await people(t, 'carol')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, eve, target] = [peer.actor('bob'), other.actor('eve'), peer.actor('fresh')]
  await waitUntilProcessed(server, carol, target)
  const uri = localUri(server, alice.id)
  await carol.follow(alice)
  await bob.send(server, bob.activity('Follow', uri))
  await peer.next(hasType('Accept'))
  await eve.send(server, eve.activity('Block', uri))
  await waitUntilProcessed(server, carol, eve)
  const move = async () =>
    browser.submit(await browser.get(PAGE), PAGE, {
      'account_migration[acct]': target.acct,
      'account_migration[current_password]': PASSWORD,
    })
  assert.match((await move()).text, /does not name this account as an alias yet/)
  peer.serve({ ...peer.documentOf(target.uri), alsoKnownAs: [uri] })
  const moved = await move()
  assert.deepEqual([moved.status, moved.location], [302, PAGE], moved.text)
  for (const side of [peer, other]) {
    const { activity } = await side.next(hasType('Move'))
    assert.match(String(activity['id']), new RegExp(`^${uri}#moves/\\d+$`))
    assert.deepEqual([activity['actor'], activity['object'], activity['target']], [uri, uri, target.uri])
  }
  // Local followers ask the new account.
  const { activity: follow } = await peer.next(hasType('Follow'))
  assert.deepEqual([follow['actor'], follow['object']], [localUri(server, carol.id), target.uri])
  const update = await peer.next(one => one['type'] === 'Update' && entity(one['object']).id === uri)
  assert.equal(entity(update.activity['object'])['movedTo'], target.uri)
})

test('local followers of a moved remote account follow the new one, once a week', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, fresh, third] = [peer.actor('bob'), other.actor('fresh'), other.actor('third')]
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  await followActor(server, alice, bob)
  await peer.next(hasType('Follow'))
  const list = entity((await alice.post('/api/v1/lists', { title: 'Friends' })).json)
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id] })
  await alice.post(`/api/v1/accounts/${id}/note`, { comment: 'from school' })
  const me = localUri(server, alice.id)
  for (const one of [fresh, third]) other.serve({ ...other.documentOf(one.uri), alsoKnownAs: [bob.uri] })
  const mallory = peer.actor('mallory')
  await mallory.send(server, mallory.activity('Move', bob.uri, { target: fresh.uri }))
  await waitUntilProcessed(server, alice, mallory)
  assert.deepEqual(other.received, [], 'nobody moves another one')
  await bob.send(server, bob.activity('Move', bob.uri, { target: fresh.uri }))
  const { activity: follow } = await other.next(hasType('Follow'))
  assert.deepEqual([follow['actor'], follow['object']], [me, fresh.uri])
  const { activity: undo } = await peer.next(hasType('Undo'))
  assert.equal(entity(undo['object'])['object'], bob.uri)
  const target = await findAccountId(server, fresh)
  const [relation] = (await alice.get('/api/v1/accounts/relationships', { id: target })).json as unknown[]
  assert.equal(entity(relation)['note'], 'from school')
  await fresh.send(server, fresh.activity('Accept', follow))
  await waitUntilProcessed(server, alice, fresh)
  await bob.send(server, bob.activity('Move', bob.uri, { target: third.uri }))
  await waitUntilProcessed(server, alice, bob)
  const seen = entity((await alice.get(`/api/v1/accounts/${id}`)).json)
  assert.equal(entity(seen['moved'])['acct'], fresh.acct, 'not twice within a week')
})

test('who blocks a moved account blocks the new one too, unless they follow it', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, fresh] = [peer.actor('bob'), other.actor('fresh')]
  other.serve({ ...other.documentOf(fresh.uri), alsoKnownAs: [bob.uri] })
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  await followActor(server, carol, fresh)
  for (const one of [alice, carol]) await one.post(`/api/v1/accounts/${id}/block`)
  await bob.send(server, bob.activity('Move', bob.uri, { target: fresh.uri }))
  const { activity: blocked } = await other.next(hasType('Block'))
  assert.deepEqual([blocked['actor'], blocked['object']], [localUri(server, alice.id), fresh.uri])
  await waitForJobs(t, server, 'accounts.move_followers')
  const target = await findAccountId(server, fresh)
  const blocking = async (one: Person): Promise<unknown> => {
    const [relation] = (await one.get('/api/v1/accounts/relationships', { id: target })).json as unknown[]
    return entity(relation)['blocking']
  }
  assert.deepEqual([await blocking(alice), await blocking(carol)], [true, false])
})

test('an account is shown as moved as its document says, without a Move', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, fresh, third] = [peer.actor('bob'), other.actor('fresh'), other.actor('third')]
  other.serve({ ...other.documentOf(fresh.uri), movedTo: third.uri })
  const document = peer.documentOf(bob.uri)
  peer.serve({ ...document, movedTo: fresh.uri })
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  const moved = async (): Promise<unknown> => {
    await waitForJobs(t, server, 'federation.store_redirection')
    const { moved } = entity((await alice.get(`/api/v1/accounts/${id}`)).json)
    return moved && entity(moved)['acct']
  }
  assert.equal(await moved(), fresh.acct)
  assert.equal((await alice.post(`/api/v1/accounts/${id}/follow`)).status, 403)
  assert.ok(!other.asked.includes(new URL(third.uri).pathname), 'the end of a chain is not fetched')
  await bob.send(server, bob.activity('Update', { ...document, movedTo: localUri(server, alice.id) }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(await moved(), alice.username)
  await bob.send(server, bob.activity('Update', document))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(await moved(), undefined)
  assert.equal((await alice.post(`/api/v1/accounts/${id}/follow`)).status, 200)
})
