import assert from 'node:assert/strict'
import { test } from 'tap'
import type { ClientResponse } from '../support/client.ts'
import { people, sql, type Person } from '../support/people.ts'
import { entities, entity } from './status_fixtures.ts'

/* Requests that change the same rows at the same time. */

const ROUNDS = 5

const direct = (from: Person, to: Person, text: string, parent?: string): Promise<ClientResponse> =>
  from.post('/api/v1/statuses', {
    status: `@${to.username} ${text}`,
    visibility: 'direct',
    ...(parent !== undefined && { in_reply_to_id: parent }),
  })

test('two people write to each other at the same time', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  await alice.follow(bob)
  const root = entity((await direct(alice, bob, 'first')).json)
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    const answers = await Promise.all(
      [1, 2, 3].flatMap(n => [direct(alice, bob, `a${n}`, root.id), direct(bob, alice, `b${n}`, root.id)]),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  }
})

test('direct posts that are deleted at the same time leave no conversation', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = [entity((await direct(alice, bob, 'first')).json).id]
    for (let n = 1; n < 6; n += 1) ids.push(entity((await direct(alice, bob, `${n}`, ids.at(-1))).json).id)
    await Promise.all(ids.map(id => alice.delete(`/api/v1/statuses/${id}`)))
    for (const person of [alice, bob]) assert.deepEqual((await person.get('/api/v1/conversations')).json, [])
  }
})

test('a direct post during the deletion of others stays in the conversation', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  for (let round = 0; round < ROUNDS; round += 1) {
    const root = entity((await direct(alice, bob, 'first')).json)
    const others = await Promise.all([1, 2, 3, 4].map(n => direct(alice, bob, `${n}`, root.id)))
    const deletions = others.map(({ json }) => alice.delete(`/api/v1/statuses/${entity(json).id}`))
    const [fresh] = await Promise.all([direct(alice, bob, 'later', root.id), ...deletions])
    for (const person of [alice, bob]) {
      const [newest] = entities((await person.get('/api/v1/conversations')).json)
      assert.equal(newest && entity(newest['last_status']).id, entity(fresh.json).id)
    }
  }
})

test('of simultaneous edits the last counts as a whole', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  for (let round = 0; round < ROUNDS; round += 1) {
    const status = await alice.postStatus('plain')
    const path = `/api/v1/statuses/${status.id}`
    const edit = (word: string, to: Person): Promise<ClientResponse> =>
      alice.put(path, { status: `#${word} @${to.username}`, poll: { options: [word, 'other'], expires_in: 3600 } })
    const answers = await Promise.all([edit('one', bob), edit('two', carol)])
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200],
    )
    const now = entity((await alice.get(path)).json)
    const word = String(now['content']).includes('one') ? 'one' : 'two'
    assert.deepEqual(
      [
        entities(now['tags']).map(tag => tag['name']),
        entities(now['mentions']).map(mention => mention['username']),
        entities(entity(now['poll'])['options']).map(option => option['title']),
      ],
      [[word], [word === 'one' ? bob.username : carol.username], [word, 'other']],
    )
    const stored = await sql(server, 'select from status_tags where status_id = $1', [status.id])
    assert.equal(stored.length, 1)
  }
})
