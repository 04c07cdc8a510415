import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'tap'
import { runHere } from '../cli/command.ts'
import { becomes } from '../platform/settings/pair.ts'
import { localUri, startPeer, type Delivery } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { storeRemoteAccount, hasType } from './federation_fixtures.ts'

/** Whether a key has signed a delivery. */
function isSignedBy(publicKeyPem: string, { headers, path }: Delivery): boolean {
  const [, names = '', signature = ''] =
    /,headers="([^"]+)",signature="([^"]+)"$/.exec(String(headers['signature'])) ?? []
  const text = names
    .split(' ')
    .map(name => `${name}: ${name === '(request-target)' ? `post ${path}` : String(headers[name])}`)
    .join('\n')
  return verify('RSA-SHA256', Buffer.from(text), createPublicKey(publicKeyPem), Buffer.from(signature, 'base64'))
}

test('new keys are sent in an Update that the old key signs, and sign later activities', async t => {
  const { alice, server } = await people(t, 'alice', 'quiet')
  const peer = await startPeer(t)
  const carol = await storeRemoteAccount(server, peer.actor('carol'))
  await sql(
    server,
    "insert into follows (account_id, target_account_id, uri) values ($1, $2, 'https://a.example/f/1')",
    [carol, alice.id],
  )
  const shownKey = async (): Promise<string> => {
    const response = await fetch(localUri(server, alice.id), { headers: { accept: 'application/activity+json' } })
    return ((await response.json()) as { publicKey: { publicKeyPem: string } }).publicKey.publicKeyPem
  }
  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  }
  const rotate = (...given: string[]) => runHere(['accounts', 'rotate', ...given], environment)
  const post = async (): Promise<Delivery> => {
    await alice.post('/api/v1/statuses', { status: 'hello' })
    return peer.next(hasType('Create'))
  }

  const first = await shownKey()
  assert.ok(isSignedBy(first, await post()))
  const one = await rotate(alice.username)
  assert.deepEqual([one.code, one.out, one.err], [0, 'OK\n', ''])
  const update = await peer.next(hasType('Update'))
  const object = update.activity['object'] as { publicKey: { publicKeyPem: string } }
  const second = object.publicKey.publicKeyPem
  assert.notEqual(second, first)
  assert.ok(isSignedBy(first, update), 'the old key signs the Update')
  await becomes(shownKey, second, 'the running server shows the new key')
  assert.ok(isSignedBy(second, await post()), 'the new key signs what follows')

  assert.equal((await rotate('--all')).out, 'OK, rotated keys for 2 accounts\n')
  const again = await peer.next(hasType('Update'))
  assert.ok(isSignedBy(second, again))
  assert.deepEqual(await sql(server, 'select count(*)::int as n from signing_keys where account_id is not null'), [
    { n: 1 },
  ])
  for (const [given, fault] of [
    [[], 'No account(s) given\n'],
    [['nobody'], 'No such account\n'],
  ] as const)
    assert.deepEqual(await rotate(...given), { code: 1, out: '', err: fault })
})
