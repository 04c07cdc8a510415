import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client, linkOf } from '../../support/client.ts'
import { makeToken, people, person, sql, uncachedAnonymous, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import {
  brief,
  collect,
  type Item,
  collectionsIn,
  membersOf,
  NOT_ALLOWED,
  NOT_FOUND,
  pathOf,
  seen,
} from './collection_fixtures.ts'

const PATH = '/api/v1/collections'

/** Creates people who can be featured in collections. */
async function featurable<const N extends string>(t: Test, ...names: N[]) {
  const { server, anonymous, alice } = await people(t, 'alice')
  const made = await Promise.all(names.map(name => person(server, name, { account: { discoverable: true } })))
  const named = Object.fromEntries(names.map((name, index) => [name, made[index]])) as Record<N, Person>
  return { server, anonymous, alice, ...named }
}

const makeRemote = async (server: TestServer): Promise<string> => {
  const [row] = await sql(
    server,
    `insert into accounts (username, domain, uri, discoverable) values ('far', 'far.example', 'https://far.example/far', true)
     returning id::text`,
  )
  return String(row?.['id'])
}

test('a collection is created, shown, changed and deleted', async t => {
  const { server, alice, anonymous, bob, carol } = await featurable(t, 'bob', 'carol')
  const made = await collect(alice, [bob, carol], {
    description: 'who sings',
    language: 'en',
    tag_name: '#Choirs',
    sensitive: true,
  })
  const { items, updated_at: updated, ...rest } = made
  const url = server.config.publicUrl
  assert.deepEqual(rest, {
    id: made.id,
    account_id: alice.id,
    uri: `${url}/ap/users/${alice.id}/collections/${made.id}`,
    url: `${url}/collections/${made.id}`,
    name: 'choir',
    description: 'who sings',
    language: 'en',
    local: true,
    sensitive: true,
    discoverable: true,
    tag: { name: 'choirs', url: `${url}/tags/choirs` },
    item_count: 2,
    created_at: updated,
  })
  assert.deepEqual(
    items.map(({ account_id, state }) => [account_id, state]),
    [
      [bob.id, 'accepted'],
      [carol.id, 'accepted'],
    ],
  )
  const shown = await seen(anonymous, made.id)
  assert.deepEqual(shown.collection, made)
  assert.deepEqual(
    shown.accounts.map(one => one.id),
    [alice.id, bob.id, carol.id],
  )
  const changed = await alice.patch(pathOf(made.id), { name: ' band ', description: null, tag_name: '' })
  assert.deepEqual(
    { ...(changed.json as { collection: object }).collection, updated_at: updated },
    { ...made, name: 'band', description: '', tag: null },
  )
  assert.equal((await alice.put(pathOf(made.id), { discoverable: false })).status, 200)
  const deleted = await alice.delete(pathOf(made.id))
  assert.deepEqual([deleted.status, deleted.text], [200, ''])
  assert.deepEqual(brief(await alice.get(pathOf(made.id))), NOT_FOUND)
  assert.deepEqual(brief(await alice.delete(pathOf(made.id))), NOT_FOUND)
})

test('all errors of a collection are returned at once, nested in details', async t => {
  const { server, alice } = await featurable(t)
  await sql(server, `insert into tags (name, display_name, usable) values ('banned', 'banned', false)`)
  const right = { name: 'x', sensitive: false, discoverable: false }
  const cases: [Record<string, unknown>, string, Record<string, [string, string]>][] = [
    [
      {},
      "Name can't be blank, Sensitive is not included in the list, Discoverable is not included in the list",
      {
        name: ['ERR_BLANK', "can't be blank"],
        sensitive: ['ERR_INCLUSION', 'is not included in the list'],
        discoverable: ['ERR_INCLUSION', 'is not included in the list'],
      },
    ],
    [
      { ...right, name: 'x'.repeat(41), description: 'y'.repeat(101) },
      'Name is too long (maximum is 40 characters), Description is too long (maximum is 100 characters)',
      {
        name: ['ERR_TOO_LONG', 'is too long (maximum is 40 characters)'],
        description: ['ERR_TOO_LONG', 'is too long (maximum is 100 characters)'],
      },
    ],
    [{ ...right, language: 'xx-none' }, 'Language is invalid', { language: ['ERR_INVALID', 'is invalid'] }],
    [{ ...right, name: ['x'] }, 'Name is invalid', { name: ['ERR_INVALID', 'is invalid'] }],
    [
      { ...right, tag_name: 'two words' },
      'Tag name may not be used',
      { tag_name: ['ERR_UNUSABLE', 'may not be used'] },
    ],
    [{ ...right, tag_name: 'Banned' }, 'Tag name may not be used', { tag_name: ['ERR_UNUSABLE', 'may not be used'] }],
    [
      { ...right, account_ids: Array.from({ length: 26 }, (_, index) => String(index + 1)) },
      'Collection items are too many, no more than 25 are allowed',
      { collection_items: ['ERR_TOO_MANY', 'are too many, no more than 25 are allowed'] },
    ],
  ]
  for (const [body, text, faults] of cases) {
    const details = Object.fromEntries(
      Object.entries(faults).map(([name, [error, description]]) => [name, [{ error, description }]]),
    )
    const refusal = [422, { error: { error: `Validation failed: ${text}`, details } }]
    assert.deepEqual(brief(await alice.post(PATH, body)), refusal)
  }
  const { id } = await collect(alice, [])
  for (const [body, text, name, error, description = text.replace(/^\w+( name)? /, '')] of [
    [{ name: ' ' }, "Name can't be blank", 'name', 'ERR_BLANK'],
    [{ name: 'x'.repeat(41) }, 'Name is too long (maximum is 40 characters)', 'name', 'ERR_TOO_LONG'],
    [
      { description: 'y'.repeat(101) },
      'Description is too long (maximum is 100 characters)',
      'description',
      'ERR_TOO_LONG',
    ],
    [{ tag_name: 'two words' }, 'Tag name may not be used', 'tag_name', 'ERR_UNUSABLE'],
    [{ language: 'xx-none' }, 'Language is invalid', 'language', 'ERR_INVALID'],
  ] as [object, string, string, string][]) {
    const refusal = { error: `Validation failed: ${text}`, details: { [name]: [{ error, description }] } }
    for (const method of ['PUT', 'PATCH'])
      assert.deepEqual(brief(await alice.request(method, pathOf(id), { body })), [422, { error: refusal }])
  }
  assert.equal((await collect(alice, [], { name: 'x'.repeat(40), description: 'ü'.repeat(100) })).name.length, 40)
})

test('the role of a user limits the number of collections', async t => {
  const { server, alice } = await featurable(t)
  await sql(
    server,
    `insert into collections (account_id, name, sensitive, discoverable) select $1, 'x', false, true from generate_series(1, 9)`,
    [alice.id],
  )
  const body = { name: 'x', sensitive: false, discoverable: true }
  const both = await Promise.all([alice.post(PATH, body), alice.post(PATH, body)])
  const refused = { base: [{ error: 'ERR_TOO_MANY', description: '' }] }
  assert.deepEqual(
    both.map(one => one.status).toSorted((a, b) => a - b),
    [200, 422],
  )
  assert.deepEqual(both.find(one => one.status === 422)?.json, {
    error: { error: 'Validation failed: are too many', details: refused },
  })
})

test('only accounts that allow it can be featured, and one refusal refuses the whole request', async t => {
  const { server, alice, bob, carol } = await featurable(t, 'bob', 'carol')
  const hidden = await person(server, 'hidden')
  const locked = await person(server, 'locked', { account: { discoverable: true, locked: true } })
  const remote = await makeRemote(server)
  await carol.post(`/api/v1/accounts/${alice.id}/block`)
  const own = { name: 'x', sensitive: false, discoverable: true }
  const answers: [string, unknown[]][] = [
    [hidden.id, NOT_ALLOWED],
    [locked.id, NOT_ALLOWED],
    [remote, NOT_ALLOWED],
    [carol.id, NOT_ALLOWED],
    [alice.id, NOT_ALLOWED],
    ['1', NOT_FOUND],
    ['x', NOT_FOUND],
  ]
  const { id } = await collect(alice, [])
  for (const [account, response] of answers) {
    assert.deepEqual(brief(await alice.post(PATH, { ...own, account_ids: [bob.id, account] })), response)
    assert.deepEqual(brief(await alice.post(`${pathOf(id)}/items`, { account_id: account })), response)
  }
  assert.equal(collectionsIn(await alice.get(`/api/v1/accounts/${alice.id}/collections`)).length, 1)
  await alice.follow(locked)
  await locked.post(`/api/v1/follow_requests/${alice.id}/authorize`)
  await sql(server, 'update accounts set discoverable = true, locked = true where id = $1', [alice.id])
  assert.deepEqual(membersOf(await collect(alice, [locked, alice])), [locked.id, alice.id])
})

test('accounts are added and removed one by one', async t => {
  const { server, alice, bob, carol } = await featurable(t, 'bob', 'carol')
  const { id } = await collect(alice, [bob])
  const path = `${pathOf(id)}/items`
  const added = await alice.post(path, { account_id: carol.id })
  const item = (added.json as { collection_item: { id: string } }).collection_item
  assert.deepEqual(Object.keys(item), ['id', 'account_id', 'state', 'created_at'])
  assert.equal((item as Partial<Item>).state, 'accepted')
  for (const method of ['PUT', 'PATCH']) {
    assert.deepEqual(brief(await bob.request(method, pathOf(id), { body: { name: 'mine' } })), NOT_ALLOWED)
    assert.equal((await alice.request(method, pathOf(id), { body: { account_ids: [bob.id] } })).status, 200)
  }
  assert.deepEqual(membersOf((await seen(bob, id)).collection), [bob.id, carol.id])
  const taken = [422, { error: 'Validation failed: Account has already been taken' }]
  assert.deepEqual(brief(await alice.post(path, { account_id: carol.id })), taken)
  const missing = [422, { error: '`account_id` parameter is missing' }]
  assert.deepEqual(brief(await alice.post(path, {})), missing)
  assert.deepEqual(brief(await bob.post(path, { account_id: carol.id })), NOT_ALLOWED)
  assert.deepEqual(brief(await bob.delete(`${path}/${item.id}`)), NOT_ALLOWED)
  assert.deepEqual(brief(await bob.delete(pathOf(id))), NOT_ALLOWED)
  const removed = await alice.delete(`${path}/${item.id}`)
  assert.deepEqual([removed.status, removed.text], [200, ''])
  assert.deepEqual(brief(await alice.delete(`${path}/9`)), NOT_FOUND)
  assert.deepEqual(brief(await alice.delete(`${pathOf('9')}/items/${item.id}`)), NOT_FOUND)
  assert.deepEqual(brief(await alice.delete(`${path}/${item.id}`)), NOT_FOUND)
  assert.deepEqual(brief(await alice.post(`${pathOf('9')}/items`, { account_id: bob.id })), NOT_FOUND)
  assert.deepEqual(membersOf((await seen(bob, id)).collection), [bob.id])
  await sql(
    server,
    `with more as (
       insert into accounts (username, uri) select 'more_' || n, '' from generate_series(1, 24) n returning id
     )
     insert into collection_items (collection_id, account_id, state) select $1, more.id, 'accepted' from more`,
    [id],
  )
  const full = [422, { error: 'Validation failed: Collection items are too many, no more than 25 are allowed' }]
  assert.deepEqual(brief(await alice.post(path, { account_id: carol.id })), full)
})

test('an account that revoked its item cannot be added again', async t => {
  const { alice, bob, carol } = await featurable(t, 'bob', 'carol')
  const { id, items } = await collect(alice, [bob, carol])
  const [first, second] = items.map(item => `${pathOf(id)}/items/${item.id}`)
  assert.deepEqual(brief(await bob.post(`${second}/revoke`)), NOT_ALLOWED)
  assert.deepEqual(brief(await bob.post(`${pathOf(id)}/items/9/revoke`)), NOT_FOUND)
  assert.deepEqual(brief(await bob.post(`${pathOf('9')}/items/${items[0]?.id}/revoke`)), NOT_FOUND)
  const revoked = await bob.post(`${first}/revoke`)
  assert.deepEqual([revoked.status, revoked.text], [200, ''])
  assert.deepEqual(brief(await bob.post(`${first}/revoke`)), NOT_FOUND)
  assert.deepEqual(brief(await alice.delete(`${first}`)), NOT_FOUND)
  assert.deepEqual(membersOf((await seen(alice, id)).collection), [carol.id])
  assert.equal((await alice.post(`${pathOf(id)}/items`, { account_id: bob.id })).status, 422)
})

test('a block removes each account from the collections of the other', async t => {
  const { server, bob, carol, dora } = await featurable(t, 'bob', 'carol', 'dora')
  const bobs = await collect(bob, [carol, dora])
  const carols = await collect(carol, [bob, dora])
  await carol.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(membersOf((await seen(dora, bobs.id)).collection), [dora.id])
  assert.deepEqual(membersOf((await seen(dora, carols.id)).collection), [dora.id])
  assert.deepEqual(brief(await bob.get(pathOf(carols.id))), NOT_ALLOWED)
  for (const version of ['v1', 'v1_alpha'])
    assert.deepEqual(brief(await bob.get(`/api/${version}/accounts/${carol.id}/collections`)), [
      200,
      { collections: [] },
    ])
  assert.equal((await carol.get(pathOf(bobs.id))).status, 200)
  const eve = await person(server, 'eve')
  await eve.post(`/api/v1/accounts/${dora.id}/block`)
  assert.deepEqual((await seen(eve, bobs.id)).collection.item_count, 0)
})

test('pending items are visible to the curator only, rejected and suspended ones to nobody', async t => {
  const { server, alice, bob, carol } = await featurable(t, 'bob', 'carol')
  const anybody = uncachedAnonymous(server)
  const { id } = await collect(alice, [bob, carol])
  const set = (state: string, account: Person): Promise<unknown> =>
    sql(server, 'update collection_items set state = $1 where account_id = $2', [state, account.id])
  await set('pending', bob)
  assert.deepEqual(membersOf((await seen(alice, id)).collection), [bob.id, carol.id])
  assert.deepEqual(membersOf((await seen(anybody, id)).collection), [carol.id])
  await set('rejected', bob)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [carol.id])
  assert.equal((await seen(alice, id)).collection.item_count, 0)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  assert.deepEqual(brief(await anybody.get(pathOf(id))), NOT_FOUND)
})

test('the collections of an account are listed in pages', async t => {
  const { server, alice, anonymous, bob } = await featurable(t, 'bob')
  const made = [await collect(alice, [bob]), await collect(alice, []), await collect(alice, [bob])]
  const secret = await collect(alice, [bob], { discoverable: false })
  const ids = made.map(one => one.id).toReversed()
  const path = `/api/v1/accounts/${alice.id}/collections`
  const all = await anonymous.get(path)
  assert.deepEqual(
    collectionsIn(all).map(one => one.id),
    ids,
  )
  assert.equal(all.headers.get('link'), null)
  assert.match(all.headers.get('cache-control') ?? '', /^max-age=15, public/)
  const first = await bob.get(path, { limit: '1' })
  assert.deepEqual([linkOf(first, 'next'), linkOf(first, 'prev')], [`${path}?limit=1&offset=1`, undefined])
  const second = await bob.get(path, { limit: '1', offset: '1' })
  assert.deepEqual(
    collectionsIn(second).map(one => one.id),
    [ids[1]],
  )
  assert.deepEqual(
    [linkOf(second, 'next'), linkOf(second, 'prev')],
    [`${path}?limit=1&offset=2`, `${path}?limit=1&offset=0`],
  )
  assert.equal(linkOf(await bob.get(path, { limit: '1', offset: '2' }), 'next'), undefined)
  assert.deepEqual(
    collectionsIn(await alice.get(path)).map(one => one.id),
    [secret.id, ...ids],
  )
  assert.equal((await bob.get(pathOf(secret.id))).status, 200)
  const alpha = await anonymous.get(path.replace('v1', 'v1_alpha'))
  assert.equal(alpha.headers.get('deprecation'), '@1781049600')
  assert.deepEqual(alpha.json, all.json)
  const own = `/api/v1/accounts/${bob.id}/in_collections`
  assert.deepEqual(
    collectionsIn(await bob.get(own)).map(one => one.id),
    [secret.id, ids[0], ids[2]],
  )
  assert.equal(linkOf(await bob.get(own, { limit: '2' }), 'next'), `${own}?limit=2&offset=2`)
  assert.deepEqual(brief(await alice.get(own)), NOT_ALLOWED)
  assert.deepEqual(brief(await alice.get('/api/v1/accounts/1/in_collections')), NOT_FOUND)
  const application = new Client(server, await makeToken(server, null))
  assert.deepEqual(brief(await application.get(own)), [422, { error: 'This method requires an authenticated user' }])
  assert.equal((await bob.get(own.replace('v1', 'v1_alpha'))).headers.get('deprecation'), null)
  assert.deepEqual(brief(await anonymous.get('/api/v1/accounts/1/collections')), NOT_FOUND)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  await sql(server, `insert into events (kind, account_id) values ('account.changed', $1)`, [alice.id])
  assert.deepEqual(collectionsIn(await bob.get(own)), [])
})
