import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, startPeer, type Document } from '../support/federation/peer.ts'
import { people } from '../support/people.ts'
import { hasType } from './federation_fixtures.ts'
import { accountOf, deliver, noteTo } from './receive/receive_fixtures.ts'

test('a forwarded report reaches the chosen servers once, without the reporter', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [spammer, carol] = [peer.actor('spammer'), other.actor('carol')]
  const parent = await deliver(server, alice, carol, noteTo(server, alice, carol, 'question'))
  const reply = noteTo(server, alice, spammer, 'spam', { inReplyTo: parent['uri'] })
  const status = await deliver(server, alice, spammer, reply)
  const target = accountOf(status).id
  const report = async (more: Document, forwarded: boolean) => {
    const response = await alice.post('/api/v1/reports', {
      account_id: target,
      status_ids: [status.id],
      comment: 'it is spam',
      ...more,
    })
    assert.deepEqual([response.status, (response.json as Document)['forwarded']], [200, forwarded], response.text)
  }
  await report({ forward: true, forward_to_domains: [peer.domain, other.domain, 'elsewhere.example'] }, true)
  const [first, second] = [await peer.next(hasType('Flag')), await other.next(hasType('Flag'))]
  assert.deepEqual(first.activity, second.activity)
  const { actor, content, object, id } = first.activity
  assert.deepEqual([actor, content, object], [`${server.url}/actor`, 'it is spam', [spammer.uri, reply.id]])
  assert.match(String(id), new RegExp(`^${server.url}/payloads/[0-9a-f-]{36}$`))
  assert.equal(first.path, new URL(`${spammer.uri}/inbox`).pathname)
  for (const { body } of [first, second]) {
    assert.ok(
      !body.includes(alice.username) && !body.includes(localUri(server, alice.id)),
      'nobody learns who reported',
    )
    assert.ok(!body.includes('category'))
  }
  await report({ forward: true, forward_to_domains: [other.domain] }, false)
  await other.next(hasType('Flag'))
  await report({ forward: false }, false)
  await report({ forward: true }, true)
  await peer.next(hasType('Flag'))
  assert.deepEqual([peer.received, other.received], [[], []])
})
