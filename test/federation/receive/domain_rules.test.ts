import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { suspendHost } from '../../support/federation/domain_rules.ts'
import { localUri, PeerActor, startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { waitForFederationJobs } from '../federation_fixtures.ts'
import { followActor, findAccountId, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

const rule = (server: TestServer, domain: string, severity: string, rejectsMedia = false): Promise<unknown> =>
  sql(server, `insert into domain_blocks (domain, severity, reject_media) values ($1, $2, $3)`, [
    domain,
    severity,
    rejectsMedia,
  ])

test('accounts of a limited domain are limited, and their follows need approval', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  await rule(server, bob.peer.domain, 'silence')
  const carol = (await startPeer(t)).actor('carol')
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  // Notifications about limited accounts are filtered: no stream shows when the request is stored.
  for (let asked = 0; asked === 0;) {
    await waitUntilProcessed(server, alice, carol)
    const rows = await sql(
      server,
      `select from follow_requests r join accounts a on a.id = r.account_id
       where a.uri = $1 and a.silenced_at is not null and r.target_account_id = $2`,
      [bob.uri, alice.id],
    )
    asked = rows.length
  }
  const account = entity((await alice.get(`/api/v1/accounts/${await findAccountId(server, bob)}`)).json)
  assert.equal(account['limited'], true)
})

test('pictures and emojis of a domain with rejected media are not shown', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob', {
    name: 'Bob :blob:',
    icon: { type: 'Image', url: `${peer.url}/avatar.png` },
    tag: [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: `${peer.url}/blob.png` } }],
  })
  await rule(server, peer.domain, 'noop', true)
  const account = entity((await waitUntilProcessed(server, alice, bob))['account'])
  assert.ok(String(account['avatar']).endsWith('/missing.png'), String(account['avatar']))
  assert.deepEqual(account['emojis'], [])
})

test('activities from a suspended domain are refused', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  await followActor(server, alice, bob)
  await suspendHost(server, bob.peer.domain)
  // Nobody wants what eve sends: what comes before the rule applies shows nothing.
  const eve = bob.peer.actor('eve')
  await becomes(() => eve.send(server, eve.create(eve.note('anything'))), 403, 'the rule applies')
  assert.equal(await bob.send(server, bob.create(noteTo(server, alice, bob, 'refused'))), 403)
  assert.deepEqual(
    entities((await alice.get('/api/v1/notifications')).json).filter(one =>
      String(entity(one['status'])['content']).includes('refused'),
    ),
    [],
  )
})

test('no port and no other spelling of a suspended domain is trusted', async t => {
  const { alice, server } = await people(t, 'alice')
  const { port } = new URL((await startPeer(t)).url)
  const peer = await startPeer(t)
  const send = (origin: string): Promise<number> => {
    const actor = new PeerActor(peer, 'mallory', `${origin}/users/mallory`)
    return actor.send(server, actor.activity('Like', localUri(server, alice.id)))
  }
  await sql(server, `insert into domain_blocks (domain, severity) values ('localhost', 'suspend')`)
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'sub.localhost', 'sub.localhost.'])
    for (const number of [port, new URL(peer.url).port, ''])
      assert.equal(await send(`http://${host}:${number}`), 403, host)
  assert.deepEqual(peer.asked, [])
})

test('the suspension of a domain ends all follows, of which local accounts are notified', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  await followActor(server, alice, bob)
  for (const actor of [bob, eve]) {
    await actor.send(server, actor.activity('Follow', localUri(server, alice.id)))
    await peer.next(activity => activity['type'] === 'Accept')
  }
  const stream = await alice.stream('user:notification')
  await suspendHost(server, peer.domain)
  await sql(
    server,
    `select enqueue('moderated_domains.apply', json_build_object('domain', b.domain, 'rule', b.id::text))
     from domain_blocks b where b.domain = $1`,
    [peer.domain],
  )
  const { payload } = await stream.next('notification', one => entity(one.payload)['type'] === 'severed_relationships')
  const { followers_count: followers, following_count: following } = entity(entity(payload)['event'])
  assert.deepEqual([followers, following], [2, 1])
  peer.received.length = 0
  await becomes(() => bob.send(server, bob.create(bob.note('anything'))), 403, 'the rule applies')
  await alice.postStatus('for followers', { visibility: 'private' })
  await waitForFederationJobs(t, server)
  assert.deepEqual(peer.received, [], 'nothing leaves for it, nor that anything has ended')
})
