import assert from 'node:assert/strict'
import { test } from 'tap'
import { startPeer } from '../../support/federation/peer.ts'
import { sql } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import { load } from './import_fixtures.ts'

/* Imports that name accounts and statuses of other servers. */

test('accounts that are not known here are found on their servers', async t => {
  const alice = await signedIn(t, 'alice')
  const { server, person } = alice
  const peer = await startPeer(t)
  const [bob, carol, dora] = [peer.actor('bob'), peer.actor('carol'), peer.actor('dora')]
  const rows = (actors: readonly { acct: string }[]): string => actors.map(({ acct }) => acct).join('\n')
  assert.equal((await load(alice, 'follows', `${rows([bob])}\nnobody@${peer.domain}`, 'merge'))[1], 1)
  const requested = `select a.username from follow_requests r join accounts a on a.id = r.target_account_id
    where r.account_id = $1 order by a.username`
  const names = async (): Promise<unknown[]> =>
    (await sql(server, requested, [person.id])).map(({ username }) => username)
  assert.deepEqual(await names(), [bob.username])
  assert.equal((await load(alice, 'blocks', rows([carol]), 'merge'))[1], 0)
  assert.equal(((await person.get('/api/v1/blocks')).json as unknown[]).length, 1)
  assert.equal((await load(alice, 'lists', `Far,${dora.acct}`, 'merge'))[1], 0)
  assert.deepEqual(await names(), [bob.username, dora.username].toSorted(), 'members of a list are followed')
})

test('statuses of other servers are bookmarked, and an import that replaces keeps those that it names', async t => {
  const alice = await signedIn(t, 'alice')
  const { person } = alice
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const [first, second] = [peer.serve(bob.note('first')), peer.serve(bob.note('second'))]
  assert.equal((await load(alice, 'bookmarks', `${first.id}\n${second.id}\n${peer.url}/nothing`, 'merge'))[1], 1)
  const uris = async (): Promise<string[]> =>
    ((await person.get('/api/v1/bookmarks')).json as { uri: string }[]).map(({ uri }) => uri).toSorted()
  assert.deepEqual(await uris(), [first.id, second.id].toSorted())
  assert.equal((await load(alice, 'bookmarks', first.id, 'overwrite'))[1], 0)
  assert.deepEqual(await uris(), [first.id])
  const exported = (await alice.browser.get('/settings/exports/bookmarks.csv')).text
  assert.equal((await load(alice, 'bookmarks', exported, 'overwrite'))[1], 0)
  assert.deepEqual(await uris(), [first.id])
})

test('an import that replaces keeps a follow whose row is refused', async t => {
  const alice = await signedIn(t, 'alice')
  const { server, person } = alice
  const bob = await signedIn(t, 'bob')
  const carol = await signedIn(t, 'carol')
  await person.follow(bob.person)
  // An account that has moved cannot be followed any more; those who follow it still do.
  await sql(server, 'update accounts set moved_to_account_id = $2 where id = $1', [bob.person.id, carol.person.id])
  assert.equal((await load(alice, 'follows', bob.person.username, 'overwrite'))[1], 1)
  const following = (await person.get(`/api/v1/accounts/${person.id}/following`)).json as { id: string }[]
  assert.deepEqual(
    following.map(({ id }) => id),
    [bob.person.id],
  )
})
