import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { sql } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import { entity, waitFor } from '../../statuses/status_fixtures.ts'
import { startSite } from '../../statuses/preview_cards/site.ts'
import { load, send } from './import_fixtures.ts'

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

test('five imports that wait for a silent server leave jobs to others', async t => {
  const alice = await signedIn(t, 'alice')
  const { server, person, browser } = alice
  const [peer, site] = [await startPeer(t), await startSite(t)]
  const answer = peer.answer.bind(peer)
  const [two, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  peer.answer = (...request) => {
    asked += 1
    if (asked === 2) two.resolve()
    void released.promise.then(() => answer(...request))
  }
  const { acct, uri } = peer.actor('bob')
  for (const kind of ['follows', 'blocks', 'mutes']) await send(browser, kind, acct)
  await send(browser, 'lists', `Far,${acct}`)
  await send(browser, 'bookmarks', `${uri}/statuses/1`)
  await two.promise
  const page = site.page('/page', '<head><title>Page</title></head>')
  const { id } = await person.postStatus(page)
  const isShown = async (): Promise<boolean> =>
    entity((await person.get(`/api/v1/statuses/${id}`)).json)['card'] !== null
  await waitFor(server, isShown, 'the card')
  assert.equal(asked, 2)
  released.resolve()
  const unfinished = `select from imports where account_id = $1 and finished_at is null`
  await becomes(() => sql(server, unfinished, [person.id]), [], 'the end of the imports')
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
