import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import { entities, entity, errorOf, relate, tell } from './status_fixtures.ts'

test('a favourite counts once, notifies once, and is undone with its notification', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  const path = `/api/v1/statuses/${status.id}`
  for (let time = 0; time < 2; time += 1) {
    const liked = entity((await bob.post(`${path}/favourite`)).json)
    assert.deepEqual([liked['favourited'], liked['favourites_count']], [true, 1])
  }
  const received = (): Promise<Record<string, unknown>[]> =>
    sql(server, `select type, from_account_id::text from notifications where account_id = $1`, [alice.id])
  assert.deepEqual(await received(), [{ type: 'favourite', from_account_id: bob.id }])
  for (let time = 0; time < 2; time += 1) {
    const undone = entity((await bob.post(`${path}/unfavourite`)).json)
    assert.deepEqual([undone['favourited'], undone['favourites_count']], [false, 0])
  }
  assert.deepEqual(await received(), [])
})

test('counters are exact under concurrent actions', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('popular')
  const path = `/api/v1/statuses/${status.id}`
  const crowd = await Promise.all(Array.from({ length: 10 }, (_, index) => person(server, `fan${index}`)))
  const everybody = (action: string): Promise<unknown> =>
    Promise.all(crowd.flatMap(one => [one.post(`${path}/${action}`), one.post(`${path}/${action}`)]))
  const counts = async (): Promise<unknown[]> => {
    const seen = entity((await alice.get(path)).json)
    return [seen['favourites_count'], seen['reblogs_count'], seen['replies_count']]
  }
  await Promise.all([everybody('favourite'), everybody('reblog')])
  await Promise.all(crowd.map(one => one.postStatus('me too', { in_reply_to_id: status.id })))
  assert.deepEqual(await counts(), [10, 10, 10])
  const boosts = await sql(server, 'select account_id from statuses where reblog_of_id = $1 and deleted_at is null', [
    status.id,
  ])
  assert.equal(boosts.length, 10)
  await Promise.all([everybody('unfavourite'), everybody('unreblog')])
  assert.deepEqual(await counts(), [0, 0, 10])
  const [stats] = await sql(server, 'select statuses_count::integer as n from account_stats where account_id = $1', [
    crowd[0]?.id,
  ])
  assert.equal(stats?.['n'], 1)
})

test('a boost wraps the original, once', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('worth it')
  const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`, { visibility: 'unlisted' })).json)
  const inner = entity(boost['reblog'])
  assert.equal(inner.id, status.id)
  assert.deepEqual([inner['reblogged'], inner['reblogs_count'], boost['reblogged']], [true, 1, true])
  assert.deepEqual(
    [
      boost['content'],
      boost['visibility'],
      boost['language'],
      boost['reblogs_count'],
      boost['mentions'],
      boost['poll'],
    ],
    ['', 'unlisted', null, 0, [], null],
  )
  assert.equal(entity(boost['account']).id, bob.id)
  assert.match(String(boost['uri']), /\/activity$/)
  assert.equal('pinned' in boost, false)
  assert.equal(entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json).id, boost.id)
  const viaBoost = entity((await carol.post(`/api/v1/statuses/${boost.id}/reblog`)).json)
  assert.equal(entity(viaBoost['reblog']).id, status.id)
  const liked = entity((await carol.post(`/api/v1/statuses/${boost.id}/favourite`)).json)
  assert.deepEqual([liked.id, liked['favourited']], [status.id, true])
  assert.equal(entity(entity((await anonymous.get(`/api/v1/statuses/${boost.id}`)).json)['reblog']).id, status.id)
  const received = await sql(
    server,
    `select from_account_id::text as who, status_id::text as what from notifications where account_id = $1 and type = 'reblog' order by id`,
    [alice.id],
  )
  assert.deepEqual(received, [
    { who: bob.id, what: status.id },
    { who: carol.id, what: status.id },
  ])

  const undone = entity((await bob.post(`/api/v1/statuses/${status.id}/unreblog`)).json)
  assert.deepEqual([undone.id, undone['reblogged'], undone['reblogs_count']], [status.id, false, 1])
  assert.equal((await bob.get(`/api/v1/statuses/${boost.id}`)).status, 404)
  assert.notEqual(entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json).id, boost.id)
})

test('the visibility of a boost matters only for a new one of a public or unlisted status', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const open = await alice.postStatus('open', { visibility: 'unlisted' })
  const personal = await alice.postStatus('for followers', { visibility: 'private' })
  const secret = await alice.postStatus(`@${bob.username} psst`, { visibility: 'direct' })
  const boosted = await alice.postStatus('boosted')
  const boost = entity((await bob.post(`/api/v1/statuses/${boosted.id}/reblog`, { visibility: 'unlisted' })).json)
  const cases: [unknown, string][] = [
    ['direct', 'Validation failed: Visibility is reserved'],
    ['limited', 'Validation failed: Visibility is reserved'],
    ['nobody', 'Validation failed: Visibility is not included in the list'],
    [['public'], 'Validation failed: Visibility is not included in the list'],
  ]
  for (const [visibility, error] of cases) {
    const reblog = (who: Person, id: string): ReturnType<Person['post']> =>
      who.post(`/api/v1/statuses/${id}/reblog`, { visibility })
    const about = JSON.stringify(visibility)
    assert.equal((await reblog(bob, '7')).status, 404, about)
    assert.equal((await reblog(bob, secret.id)).status, 403, about)
    const own = await reblog(alice, personal.id)
    assert.deepEqual([own.status, entity(own.json)['visibility']], [200, 'private'], about)
    const again = await reblog(bob, boosted.id)
    assert.deepEqual(
      [again.status, entity(again.json).id, entity(again.json)['visibility']],
      [200, boost.id, 'unlisted'],
      about,
    )
    const refused = await reblog(bob, open.id)
    assert.deepEqual([refused.status, errorOf(refused)], [422, error], about)
    assert.deepEqual((await alice.get(`/api/v1/statuses/${open.id}/reblogged_by`)).json, [], about)
    await alice.post(`/api/v1/statuses/${personal.id}/unreblog`)
  }
})

test('which statuses may be boosted, and with which visibility', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const open = await alice.postStatus('open')
  const refused = async (visibility: string): Promise<unknown> =>
    errorOf(await bob.post(`/api/v1/statuses/${open.id}/reblog`, { visibility }))
  assert.equal(await refused('direct'), 'Validation failed: Visibility is reserved')
  assert.equal(await refused('limited'), 'Validation failed: Visibility is reserved')
  assert.equal(await refused('all'), 'Validation failed: Visibility is not included in the list')
  const own = await alice.postStatus('for followers', { visibility: 'private' })
  const boost = entity((await alice.post(`/api/v1/statuses/${own.id}/reblog`, { visibility: 'public' })).json)
  assert.equal(boost['visibility'], 'private')
  await relate(server, 'follows', bob, alice)
  assert.equal((await bob.post(`/api/v1/statuses/${own.id}/reblog`)).status, 403)
  assert.equal((await bob.get(`/api/v1/statuses/${boost.id}`)).status, 200)
  await relate(server, 'blocks', bob, alice)
  for (const action of ['reblog', 'favourite']) {
    const response = await bob.post(`/api/v1/statuses/${open.id}/${action}`)
    assert.deepEqual([response.status, errorOf(response)], [403, 'This action is not allowed'])
  }
})

test('bookmarks and favourites are listed latest first, in pages that stay full', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  for (const [kept, action] of [
    ['bookmarks', 'bookmark'],
    ['favourites', 'favourite'],
  ] as const) {
    const ids: string[] = []
    for (let number = 0; number < 6; number += 1) {
      const { id } = await alice.postStatus(`number ${number}`)
      ids.unshift(id)
      await bob.post(`/api/v1/statuses/${id}/${action}`)
    }
    await alice.delete(`/api/v1/statuses/${ids[1]}`)
    const left = ids.filter((_, index) => index !== 1)
    const read = async (path: string) => {
      const response = await bob.get(path)
      return { answer: response, ids: entities(response.json).map(one => one.id) }
    }
    const first = await read(`/api/v1/${kept}?limit=3`)
    assert.deepEqual(first.ids, left.slice(0, 3))
    for (const one of entities(first.answer.json))
      assert.equal(one[kept === 'bookmarks' ? 'bookmarked' : 'favourited'], true)
    const second = await read(linkOf(first.answer, 'next') ?? '')
    assert.deepEqual(second.ids, left.slice(3))
    assert.equal(linkOf(second.answer, 'next'), undefined, 'the page is not full')
    const back = await read(linkOf(second.answer, 'prev') ?? '')
    assert.deepEqual(back.ids, left.slice(0, 3))
    const lower = /max_id=(\d+)/.exec(linkOf(first.answer, 'next') ?? '')?.[1]
    assert.deepEqual((await read(`/api/v1/${kept}?since_id=${lower}&limit=1`)).ids, left.slice(0, 1))
    assert.deepEqual((await read(`/api/v1/${kept}?min_id=${lower}&limit=1`)).ids, left.slice(1, 2))
    assert.deepEqual((await read(`/api/v1/${kept}?limit=0`)).ids, [])
  }
})

test('the accounts that favourited and boosted a status, without those the caller excludes', async t => {
  const { alice, bob, carol, dave, anonymous, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const status = await alice.postStatus('hello')
  for (const one of [bob, carol, dave]) {
    await one.post(`/api/v1/statuses/${status.id}/favourite`)
    await one.post(`/api/v1/statuses/${status.id}/reblog`)
  }
  await dave.post(`/api/v1/statuses/${status.id}/unreblog`)
  await dave.post(`/api/v1/statuses/${status.id}/reblog`, { visibility: 'private' })
  await relate(server, 'mutes', bob, carol)
  const read = async (viewer: typeof anonymous, what: string) => {
    const response = await viewer.get(`/api/v1/statuses/${status.id}/${what}`, { limit: '2' })
    return { answer: response, ids: entities(response.json).map(one => one.id) }
  }
  const likes = await read(anonymous, 'favourited_by')
  assert.deepEqual(likes.ids, [dave.id, carol.id])
  const next = await anonymous.get(linkOf(likes.answer, 'next') ?? '')
  assert.deepEqual(
    entities(next.json).map(one => one.id),
    [bob.id],
  )
  assert.match(linkOf(next, 'prev') ?? '', /since_id=/)
  assert.deepEqual((await read(bob, 'favourited_by')).ids, [dave.id, bob.id])
  assert.deepEqual((await read(alice, 'reblogged_by')).ids, [carol.id, bob.id])
  assert.deepEqual((await read(bob, 'reblogged_by')).ids, [bob.id])
})

test('a muted conversation sends no notifications, and says so', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const root = await alice.postStatus('root')
  assert.equal(entity((await alice.post(`/api/v1/statuses/${root.id}/mute`)).json)['muted'], true)
  const reply = await bob.postStatus(`@${alice.username} hey`, { in_reply_to_id: root.id })
  assert.equal(entity((await alice.get(`/api/v1/statuses/${reply.id}`)).json)['muted'], true)
  assert.deepEqual(await sql(server, 'select type from notifications where account_id = $1', [alice.id]), [])
  assert.equal(entity((await alice.post(`/api/v1/statuses/${reply.id}/unmute`)).json)['muted'], false)
  await bob.postStatus(`@${alice.username} hey again`, { in_reply_to_id: root.id })
  assert.equal((await sql(server, 'select type from notifications where account_id = $1', [alice.id])).length, 1)
  await tell(server, 'update statuses set conversation_id = null where id = $1', [root.id])
  const response = await alice.post(`/api/v1/statuses/${root.id}/mute`)
  assert.deepEqual([response.status, errorOf(response)], [422, 'Mastodon::ValidationError'])
})

test('five own statuses can be pinned', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const pin = async (id: unknown): Promise<unknown> => {
    const response = await alice.post(`/api/v1/statuses/${String(id)}/pin`)
    return response.status === 200 ? entity(response.json)['pinned'] : `${response.status} ${String(errorOf(response))}`
  }
  const other = await bob.postStatus('not yours')
  const boost = entity((await alice.post(`/api/v1/statuses/${other.id}/reblog`)).json)
  const direct = await alice.postStatus('secret', { visibility: 'direct' })
  assert.equal(await pin(other.id), "422 Validation failed: Someone else's post cannot be pinned")
  assert.equal(await pin(boost.id), '422 Validation failed: A boost cannot be pinned')
  assert.equal(
    await pin(direct.id),
    '422 Validation failed: Posts that are only visible to mentioned users cannot be pinned',
  )
  assert.equal(await pin('12'), '404 Not Found')
  const ids: string[] = []
  for (let number = 0; number < 8; number += 1)
    ids.push((await alice.postStatus(`pin ${number}`, { visibility: 'private' })).id)
  assert.equal(await pin(ids[0]), true)
  assert.equal(await pin(ids[0]), '422 Duplicate record')
  const rest = await Promise.all(ids.slice(1).map(pin))
  assert.equal(rest.filter(one => one === true).length, 4)
  const full = '422 Validation failed: You have already pinned the maximum number of posts'
  assert.equal(rest.filter(one => one === full).length, 3)
  assert.equal(entity((await alice.post(`/api/v1/statuses/${ids[0]}/unpin`)).json)['pinned'], false)
  assert.equal((await alice.post(`/api/v1/statuses/${ids[0]}/unpin`)).status, 200)
  const pins = await sql(server, 'select id from status_pins where account_id = $1', [alice.id])
  assert.equal(pins.length, 4)
})

test('actions need their scopes', async t => {
  const { alice, server, anonymous } = await people(t, 'alice')
  const reader = await person(server, 'reader', { scopes: ['read'] })
  const status = await alice.postStatus('hello')
  for (const action of ['favourite', 'reblog', 'bookmark', 'mute', 'pin']) {
    assert.equal((await reader.post(`/api/v1/statuses/${status.id}/${action}`)).status, 403)
    assert.equal((await anonymous.post(`/api/v1/statuses/${status.id}/${action}`)).status, 401)
  }
  assert.equal((await reader.post('/api/v1/statuses', { status: 'x' })).status, 403)
  assert.equal((await anonymous.get(`/api/v1/statuses/${status.id}/source`)).status, 401)
})
