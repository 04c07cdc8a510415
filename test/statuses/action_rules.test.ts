import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf } from '../support/client.ts'
import { makeToken, people, person } from '../support/people.ts'
import { quote } from './quotes/quote_fixtures.ts'
import { entities, entity, errorOf, tell } from './status_fixtures.ts'

const OUTSIDE = [403, 'This action is outside the authorized scopes']

test('who favourited and boosted a status, without those in a block or mute of the caller', async t => {
  const { alice, bob, carol, dave, erin, frank, anonymous, server } = await people(
    t,
    'alice',
    'bob',
    'carol',
    'dave',
    'erin',
    'frank',
  )
  const { id } = await alice.postStatus('hello')
  for (const who of [bob, carol, dave, erin])
    for (const action of ['favourite', 'reblog'])
      assert.equal((await who.post(`/api/v1/statuses/${id}/${action}`)).status, 200)
  await frank.post(`/api/v1/accounts/${bob.id}/block`)
  await carol.post(`/api/v1/accounts/${frank.id}/block`)
  await frank.post(`/api/v1/accounts/${dave.id}/mute`)
  for (const list of ['favourited_by', 'reblogged_by']) {
    const path = `/api/v1/statuses/${id}/${list}`
    const read = async (who: Client, query = {}): Promise<unknown[]> =>
      entities((await who.get(path, query)).json).map(one => one.id)
    assert.deepEqual(await read(anonymous), [erin.id, dave.id, carol.id, bob.id])
    assert.deepEqual(await read(frank), [erin.id])
    for (const [scope, expected] of [
      ['read', 200],
      ['read:accounts', 200],
      ['write', 403],
    ] as const) {
      const client = new Client(server, await makeToken(server, frank.userId, [scope]))
      assert.equal((await client.get(path)).status, expected, `${list} ${scope}`)
    }
  }
})

test('boosts of a status are paged by the ids of the boosts', async t => {
  const { alice, bob, carol, dave } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const { id } = await alice.postStatus('hello')
  const boosts: string[] = []
  for (const who of [bob, carol, dave])
    boosts.unshift(entity((await who.post(`/api/v1/statuses/${id}/reblog`)).json).id)
  const path = `/api/v1/statuses/${id}/reblogged_by`
  const first = await alice.get(path, { limit: '2' })
  assert.equal(linkOf(first, 'next'), `${path}?limit=2&max_id=${boosts[1]}`)
  assert.equal(linkOf(first, 'prev'), `${path}?limit=2&since_id=${boosts[0]}`)
  const last = await alice.get(linkOf(first, 'next') ?? '')
  assert.deepEqual(
    [...entities(first.json), ...entities(last.json)].map(one => one.id),
    [dave.id, carol.id, bob.id],
  )
  assert.deepEqual(
    [linkOf(last, 'next'), linkOf(last, 'prev')],
    [undefined, `${path}?limit=2&since_id=${boosts[2]}`],
    'the page is not full',
  )
})

test('a boost has the given visibility, else the user’s default, and its end reaches the streams', async t => {
  const { alice, server } = await people(t, 'alice')
  const preferences = JSON.stringify({ default_privacy: 'unlisted' })
  const booster = await person(server, 'booster', { user: { preferences } })
  await alice.follow(booster)
  for (const visibility of ['public', 'unlisted']) {
    const { id } = await alice.postStatus('boost me', { visibility })
    for (const [body, expected] of [
      [{}, 'unlisted'],
      [{ visibility: 'public' }, 'public'],
      [{ visibility: 'private' }, 'private'],
    ] as const) {
      const boost = entity((await booster.post(`/api/v1/statuses/${id}/reblog`, body)).json)
      assert.equal(boost['visibility'], expected)
      const stream = await booster.stream('user')
      await booster.post(`/api/v1/statuses/${id}/unreblog`)
      assert.equal((await stream.next('delete')).payload, boost.id)
      assert.equal((await booster.get(`/api/v1/statuses/${boost.id}`)).status, 404)
    }
  }
})

test('a bookmark is of the boosted status, and nobody is notified', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const { id } = await alice.postStatus('keep me')
  const boost = entity((await carol.post(`/api/v1/statuses/${id}/reblog`)).json)
  await alice.post('/api/v1/notifications/clear')
  for (const one of [boost.id, boost.id, id]) {
    const response = await bob.post(`/api/v1/statuses/${one}/bookmark`)
    assert.deepEqual([response.status, entity(response.json).id, entity(response.json)['bookmarked']], [200, id, true])
  }
  assert.equal(entities((await bob.get('/api/v1/bookmarks')).json).length, 1)
  for (const who of [alice, carol]) assert.deepEqual((await who.get('/api/v1/notifications')).json, [])
  for (let times = 0; times < 2; times += 1) {
    const response = await bob.post(`/api/v1/statuses/${id}/unbookmark`)
    assert.deepEqual([response.status, entity(response.json)['bookmarked']], [200, false])
  }
})

test('scopes and kinds of tokens that an action refuses', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id } = await alice.postStatus('hello')
  const path = `/api/v1/statuses/${id}`
  const withScope = async (...scopes: string[]): Promise<Client> =>
    new Client(server, await makeToken(server, bob.userId, scopes))
  const writing = await withScope('write')
  assert.equal((await writing.post(`${path}/mute`)).status, 200)
  const following = await (await withScope('follow')).post(`${path}/mute`)
  assert.deepEqual([following.status, errorOf(following)], OUTSIDE)
  const list = await writing.get('/api/v1/statuses', { 'id[]': id })
  assert.deepEqual([list.status, errorOf(list)], OUTSIDE)
  const app = new Client(server, await makeToken(server, null, ['read', 'write']))
  const translated = await app.post(`${path}/translate`)
  assert.deepEqual([translated.status, errorOf(translated)], [422, 'This method requires an authenticated user'])
  await tell(server, 'update statuses set conversation_id = null where id = $1', [id])
  for (const action of ['mute', 'unmute']) {
    const response = await bob.post(`${path}/${action}`)
    assert.deepEqual([response.status, errorOf(response)], [422, 'Mastodon::ValidationError'])
  }
})

test('quotes by limited accounts and blocked domains are shown to the quoted author and followers only', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const { id } = await alice.postStatus('quote me')
  const [limited, remote] = [await quote(bob, id), await quote(carol, id)]
  await tell(server, 'update accounts set silenced_at = now() where id = $1', [bob.id])
  await tell(server, `update accounts set domain = 'far.example', uri = 'https://far.example/' || id where id = $1`, [
    carol.id,
  ])
  const read = async (who: Client): Promise<unknown[]> =>
    entities((await who.get(`/api/v1/statuses/${id}/quotes`)).json).map(one => one.id)
  assert.deepEqual(await read(alice), [remote.id, limited.id])
  assert.deepEqual(await read(dave), [remote.id])
  await dave.follow(bob)
  await dave.post('/api/v1/domain_blocks', { domain: 'far.example' })
  assert.deepEqual(await read(dave), [limited.id])
})

test('a quote that waits is rejected, one that was accepted is revoked', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id } = await alice.postStatus('quote me')
  for (const [before, after] of [
    ['pending', 'rejected'],
    ['accepted', 'revoked'],
  ]) {
    const quoting = await quote(bob, id)
    if (before === 'pending')
      await tell(server, `update quotes set state = 'pending' where status_id = $1`, [quoting.id])
    const response = await alice.post(`/api/v1/statuses/${id}/quotes/${quoting.id}/revoke`)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(entity(response.json)['quote'], { state: after, quoted_status: null })
    assert.deepEqual((await alice.get(`/api/v1/statuses/${id}/quotes`)).json, [])
    await bob.delete(`/api/v1/statuses/${quoting.id}`)
  }
})
