import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../support/people.ts'
import { entities, entity } from './status_fixtures.ts'

/**
 * A page shows the viewer's state from a cache, which may never be older than the last acknowledged
 * change.
 */

const FIELDS = ['favourited', 'reblogged', 'bookmarked', 'muted'] as const

async function read(viewer: Person, id: string): Promise<Record<string, unknown>> {
  const home = entities((await viewer.get('/api/v1/timelines/home')).json).find(one => one.id === id)
  const alone = entity((await viewer.get(`/api/v1/statuses/${id}`)).json)
  assert.ok(home)
  for (const field of FIELDS) assert.equal(home[field], alone[field])
  return home
}

const shown = async (viewer: Person, id: string): Promise<unknown[]> => {
  const status = await read(viewer, id)
  return FIELDS.filter(field => status[field] === true)
}

test('a page that was seen before shows the viewer’s later actions', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const { id } = await alice.postStatus('hello')
  assert.deepEqual(await shown(bob, id), [])
  const steps = [
    ['favourite', ['favourited']],
    ['bookmark', ['favourited', 'bookmarked']],
    ['mute', ['favourited', 'bookmarked', 'muted']],
    ['reblog', ['favourited', 'reblogged', 'bookmarked', 'muted']],
    ['unfavourite', ['reblogged', 'bookmarked', 'muted']],
    ['unbookmark', ['reblogged', 'muted']],
    ['unmute', ['reblogged']],
  ] as const
  for (const [action, expected] of steps) {
    assert.equal((await bob.post(`/api/v1/statuses/${id}/${action}`)).status, 200)
    const alone = entity((await bob.get(`/api/v1/statuses/${id}`)).json)
    assert.deepEqual(
      FIELDS.filter(field => alone[field] === true),
      expected,
      action,
    )
  }
  await bob.post(`/api/v1/statuses/${id}/unreblog`)
  assert.deepEqual(await shown(bob, id), [])
})

test('a poll that was seen before shows the vote, and after an edit none', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const asked = await alice.postStatus('tea?', { poll: { options: ['yes', 'no'], expires_in: 3600 } })
  const poll = async (): Promise<Record<string, unknown>> => entity((await read(bob, asked.id))['poll'])
  const before = await poll()
  assert.deepEqual([before['voted'], before['own_votes']], [false, []])
  await bob.post(`/api/v1/polls/${entity(asked['poll']).id}/votes`, { choices: [1] })
  const after = await poll()
  assert.deepEqual([after['voted'], after['own_votes']], [true, [1]])
  await alice.put(`/api/v1/statuses/${asked.id}`, {
    status: 'coffee?',
    poll: { options: ['ja', 'nein'], expires_in: 3600 },
  })
  const edited = await poll()
  assert.deepEqual([edited['voted'], edited['own_votes']], [false, []])
})

test('visibility is checked again after changes of relationships, mentions or the author’s state', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const open = await alice.postStatus('open')
  const closed = await alice.postStatus('for followers', { visibility: 'private' })
  const sees = async (viewer: Person, id: string): Promise<boolean> =>
    (await viewer.get(`/api/v1/statuses/${id}`)).status === 200
  assert.deepEqual([await sees(bob, open.id), await sees(bob, closed.id)], [true, false])
  await bob.follow(alice)
  assert.deepEqual([await sees(bob, open.id), await sees(bob, closed.id)], [true, true])
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual([await sees(bob, open.id), await sees(bob, closed.id)], [false, false])
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`)
  assert.deepEqual([await sees(bob, open.id), await sees(bob, closed.id)], [true, false])
  assert.equal(await sees(carol, closed.id), false)
  await alice.put(`/api/v1/statuses/${closed.id}`, { status: `for followers and @${carol.username}` })
  assert.equal(await sees(carol, closed.id), true)
})

test('a pinned status shows so after it was seen', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await alice.postStatus('mine')
  const pinned = async (): Promise<unknown> => (await read(alice, id))['pinned']
  assert.equal(await pinned(), false)
  await alice.post(`/api/v1/statuses/${id}/pin`)
  assert.equal(await pinned(), true)
  await alice.post(`/api/v1/statuses/${id}/unpin`)
  assert.equal(await pinned(), false)
})
