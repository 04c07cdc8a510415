import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../support/people.ts'

type Relation = Record<string, unknown>

test('an action whose effect is there already changes nothing, nor does one with nothing to undo', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const act = async (action: string, body?: object): Promise<Relation> => {
    const { status, json, text } = await alice.post(`/api/v1/accounts/${bob.id}/${action}`, body)
    assert.equal(status, 200, `${action}: ${text}`)
    return json as Relation
  }
  const unrelated = await act('unfollow')
  for (const action of ['unmute', 'unblock', 'unpin', 'unendorse', 'remove_from_followers'])
    assert.deepEqual(await act(action), unrelated, action)
  const muted = await act('mute')
  assert.deepEqual([muted['muting'], await act('unmute'), await act('unmute')], [true, unrelated, unrelated])
  const followed = await act('follow', { reblogs: false, notify: true, languages: ['de'] })
  assert.deepEqual(
    [followed['following'], followed['showing_reblogs'], followed['notifying'], followed['languages']],
    [true, false, true, ['de']],
  )
  assert.deepEqual(await act('follow'), followed)
  for (const [add, remove] of [
    ['pin', 'unpin'],
    ['endorse', 'unendorse'],
  ] as const) {
    for (const _ of [1, 2]) assert.deepEqual(await act(add), { ...followed, endorsed: true }, add)
    const endorsed = (await alice.get('/api/v1/endorsements')).json as { id: string }[]
    assert.deepEqual(
      endorsed.map(({ id }) => id),
      [bob.id],
    )
    for (const _ of [1, 2]) assert.deepEqual(await act(remove), followed, remove)
    assert.deepEqual((await alice.get('/api/v1/endorsements')).json, [])
  }
  for (const action of ['pin', 'endorse']) {
    await act('follow')
    await act(action)
    assert.deepEqual(await act('unfollow'), unrelated, `${action} ends with the follow`)
    assert.deepEqual((await alice.get('/api/v1/endorsements')).json, [])
    const refused = await alice.post(`/api/v1/accounts/${bob.id}/${action}`)
    const error = 'Validation failed: You must be already following the person you want to endorse'
    assert.deepEqual([refused.status, refused.json], [422, { error }])
  }
  await act('note', { comment: 'short' })
  assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/note`, { comment: 'x'.repeat(2001) })).status, 422)
  assert.equal((await act('unfollow'))['note'], 'short')
})

test('relationships are those of the caller: of one id or several, and without a follow that ended', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await carol.follow(alice)
  const read = async (id: string | string[]): Promise<Relation[]> =>
    (await alice.get('/api/v1/accounts/relationships', typeof id === 'string' ? { id } : { 'id[]': id }))
      .json as Relation[]
  const both = await read([bob.id, carol.id])
  const none = { muting: false, requested: false, domain_blocking: false }
  for (const [at, expected] of [
    { id: bob.id, following: true, showing_reblogs: true, followed_by: false, ...none },
    { id: carol.id, following: false, showing_reblogs: false, followed_by: true, ...none },
  ].entries())
    for (const [name, value] of Object.entries(expected)) assert.equal(both[at]?.[name], value, name)
  assert.deepEqual(await read(bob.id), both.slice(0, 1))
  await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)
  const [after, ...more] = await read(bob.id)
  assert.deepEqual([after?.['following'], after?.['showing_reblogs'], more], [false, false, []])
})

test('lists of the caller’s relations contain no account that is being deleted, and no end that has passed', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(server, 'update accounts set locked = true where id = $1', [alice.id])
  const [stays, goes] = [await person(server, 'stays'), await person(server, 'goes')]
  for (const other of [stays, goes]) {
    await other.follow(alice)
    await alice.post(`/api/v1/accounts/${other.id}/mute`, { duration: other === stays ? 3600 : 0 })
  }
  const lists = ['mutes', 'follow_requests']
  const read = async (list: string): Promise<Record<string, unknown>[]> =>
    (await alice.get(`/api/v1/${list}`)).json as Record<string, unknown>[]
  const ids = async (list: string): Promise<unknown[]> => (await read(list)).map(one => one['id'])
  for (const list of lists) assert.deepEqual(await ids(list), [goes.id, stays.id], list)
  assert.deepEqual(
    (await read('mutes')).map(one => one['mute_expires_at'] === null),
    [true, false],
  )
  await sql(server, `update mutes set expires_at = now() - interval '1 second' where target_account_id = $1`, [
    stays.id,
  ])
  for (const one of await read('mutes')) assert.equal(one['mute_expires_at'], null)
  const [blocked, leaves] = [await person(server, 'blocked'), await person(server, 'leaves')]
  for (const other of [blocked, leaves]) await alice.post(`/api/v1/accounts/${other.id}/block`)
  assert.deepEqual(await ids('blocks'), [leaves.id, blocked.id])
  for (const { id } of [goes, leaves])
    await sql(server, 'update accounts set deletion_requested_at = now() where id = $1', [id])
  for (const list of lists) assert.deepEqual(await ids(list), [stays.id], list)
  assert.deepEqual(await ids('blocks'), [blocked.id])
})

test('followers and followed accounts do not show whom the caller blocks or mutes, or who blocks the caller', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const names = ['shown', 'blocked', 'muted', 'blocking'] as const
  const others = await Promise.all(names.map(name => person(server, name)))
  for (const other of others) {
    await other.follow(alice)
    await alice.follow(other)
  }
  const [shown, blocked, muted, blocking] = others
  assert.ok(shown && blocked && muted && blocking)
  await bob.post(`/api/v1/accounts/${blocked.id}/block`)
  await bob.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocking.post(`/api/v1/accounts/${bob.id}/block`)
  await alice.post(`/api/v1/accounts/${muted.id}/mute`)
  const all = others.map(({ id }) => id).toReversed()
  for (const list of ['followers', 'following']) {
    const path = `/api/v1/accounts/${alice.id}/${list}`
    const ids = async (who: Pick<typeof bob, 'get'>): Promise<string[]> =>
      ((await who.get(path)).json as { id: string }[]).map(({ id }) => id)
    assert.deepEqual(await ids(bob), [shown.id], list)
    assert.deepEqual(await ids(alice), all, `${list}, as the owner sees them`)
    assert.deepEqual(await ids(anonymous), all, list)
  }
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  for (const list of ['followers', 'following'])
    assert.deepEqual((await bob.get(`/api/v1/accounts/${alice.id}/${list}`)).json, [], list)
})

test('of the lists that contain an account the caller sees the own ones', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const owner of [alice, carol]) {
    await owner.follow(bob)
    const { id } = (await owner.post('/api/v1/lists', { title: owner.username })).json as { id: string }
    assert.equal((await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [bob.id] })).status, 200)
  }
  const lists = (await alice.get(`/api/v1/accounts/${bob.id}/lists`)).json as { title: string }[]
  assert.deepEqual(
    lists.map(({ title }) => title),
    [alice.username],
  )
  const proofs = await alice.get(`/api/v1/accounts/${bob.id}/identity_proofs`)
  assert.deepEqual([proofs.status, proofs.json], [200, []])
})
