import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse } from '../support/client.ts'
import { people, type Person } from '../support/people.ts'
import { entities, entity } from './status_fixtures.ts'

const idsOf = ({ json }: ClientResponse): string[] => entities(json).map(one => one.id)

/** The internal ids in the links of a page. */
const cutsOf = (response: ClientResponse): { next: string | undefined; prev: string | undefined } => {
  const read = (rel: 'next' | 'prev', name: string): string | undefined =>
    new URL(linkOf(response, rel) ?? '/', 'http://x').searchParams.get(name) ?? undefined
  return { next: read('next', 'max_id'), prev: read('prev', 'min_id') }
}

test('bookmarks and favourites are listed in the order of their creation, and paged both ways by it', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const [kept, action, flag] of [
    ['bookmarks', 'bookmark', 'bookmarked'],
    ['favourites', 'favourite', 'favourited'],
  ] as const) {
    const path = `/api/v1/${kept}`
    const posted: string[] = []
    for (let number = 0; number < 8; number += 1) posted.push((await alice.postStatus(`number ${number}`)).id)
    const order = [3, 0, 6, 1, 7, 5, 2, 4].map(index => posted[index] ?? '')
    for (const id of order) await bob.post(`/api/v1/statuses/${id}/${action}`)
    const all = order.toReversed()
    // In the middle of the list one is reported and deleted, and the author of another blocks the
    // reader.
    const foreign = await carol.postStatus('soon out of sight')
    await bob.post(`/api/v1/statuses/${foreign.id}/${action}`)
    await carol.post(`/api/v1/accounts/${bob.id}/block`)
    await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [all[3]] })
    await alice.delete(`/api/v1/statuses/${all[3]}`)
    await bob.post(`/api/v1/statuses/${all[5]}/un${action}`)
    const left = all.filter((_, index) => index !== 3 && index !== 5)
    assert.equal(left.length, 6)

    const cuts: string[] = []
    const down: string[] = []
    for (let at: string | undefined = `${path}?limit=2`; at !== undefined;) {
      const response = await bob.get(at)
      assert.equal(response.status, 200)
      for (const one of entities(response.json)) assert.equal(one[flag], true)
      down.push(...idsOf(response))
      const { next, prev } = cutsOf(response)
      if (prev) cuts.push(prev)
      at = next === undefined ? undefined : `${path}?limit=2&max_id=${next}`
    }
    assert.deepEqual(down, left)
    const up: string[] = []
    for (let at: string | undefined = `${path}?limit=2&min_id=0`; at !== undefined;) {
      const response = await bob.get(at)
      up.unshift(...idsOf(response))
      const { prev } = cutsOf(response)
      at = prev === undefined ? undefined : `${path}?limit=2&min_id=${prev}`
    }
    assert.deepEqual(up, left)
    const [first = '', , third = ''] = cuts
    const read = async (query: Record<string, string>): Promise<string[]> => idsOf(await bob.get(path, query))
    const table: [Record<string, string>, string[]][] = [
      [{}, left],
      [{ limit: '-2' }, left.slice(0, 2)],
      [{ limit: '999' }, left],
      [{ limit: '0' }, []],
      [{ limit: 'abc' }, []],
      [{ max_id: first }, left.slice(1)],
      [{ since_id: third }, left.slice(0, 4)],
      [{ since_id: third, limit: '1' }, left.slice(0, 1)],
      [{ min_id: third, limit: '1' }, left.slice(3, 4)],
      [{ min_id: third, max_id: first }, left.slice(1, 4)],
      [{ since_id: third, max_id: first, limit: '2' }, left.slice(1, 3)],
      [{ since_id: first, min_id: third, limit: '1' }, left.slice(3, 4)],
    ]
    for (const [query, expected] of table)
      assert.deepEqual(await read(query), expected, `${kept} ${JSON.stringify(query)}`)
    const empty = await bob.get(path, { limit: '0' })
    assert.equal(empty.headers.get('link'), null)
    const { headers } = await bob.get(path, { limit: '2', since_id: '1' })
    assert.match(
      headers.get('link') ?? '',
      new RegExp(
        `^<[^>]+/api/v1/${kept}\\?limit=2&max_id=\\d+>; rel="next", <[^>]+\\?limit=2&min_id=\\d+>; rel="prev"$`,
      ),
    )
    assert.deepEqual((await alice.get(path)).json, [], 'of others nobody sees them')
    await carol.post(`/api/v1/accounts/${bob.id}/unblock`)
    assert.equal((await read({}))[0], foreign.id)
  }
})

test('pins are listed on the profile, page both ways, and follow the rules of visibility', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const pins: string[] = []
  for (const visibility of ['public', 'private', 'unlisted', 'public', 'private'] as const) {
    const { id } = await alice.postStatus(visibility, { visibility })
    const pinned = entity((await alice.post(`/api/v1/statuses/${id}/pin`)).json)
    assert.equal(pinned['pinned'], true)
    pins.unshift(id)
  }
  const path = `/api/v1/accounts/${alice.id}/statuses?pinned=true`
  const read = async (who: Pick<Person, 'get'>, more = ''): Promise<string[]> => idsOf(await who.get(path + more))
  assert.deepEqual(await read(alice), pins)
  const open = pins.filter((_, index) => index !== 0 && index !== 3)
  assert.deepEqual(await read(bob), open)
  assert.deepEqual(await read(anonymous), open)
  assert.deepEqual(await read(alice, `&max_id=${pins[1]}&limit=2`), pins.slice(2, 4))
  assert.deepEqual(await read(alice, `&min_id=${pins[3]}&limit=2`), pins.slice(1, 3))
  assert.deepEqual(await read(alice, `&since_id=${pins[3]}&limit=2`), pins.slice(0, 2))
  await alice.post(`/api/v1/statuses/${pins[1]}/unpin`)
  await alice.delete(`/api/v1/statuses/${pins[2]}`)
  assert.deepEqual(
    await read(bob),
    [pins[4]].filter(id => open.includes(id ?? '')),
  )
  assert.deepEqual(
    await read(anonymous),
    [pins[4]].filter(id => open.includes(id ?? '')),
  )
})

test('a muted conversation notifies of nothing, in any part of it', async t => {
  const { alice, bob, carol, dave } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await alice.follow(bob, { notify: true })
  const root = await alice.postStatus('root')
  const reply = await bob.postStatus(`@${alice.username} reply`, { in_reply_to_id: root.id })
  const aside = await alice.postStatus('not part of it')
  await alice.post('/api/v1/notifications/clear')
  const received = async (): Promise<string[]> =>
    entities((await alice.get('/api/v1/notifications')).json).map(one => String(one['type']))
  for (let time = 0; time < 2; time += 1)
    assert.equal(entity((await alice.post(`/api/v1/statuses/${reply.id}/mute`)).json)['muted'], true)
  for (const { id } of [root, reply])
    assert.equal(entity((await alice.get(`/api/v1/statuses/${id}`)).json)['muted'], true)
  assert.equal(entity((await bob.get(`/api/v1/statuses/${root.id}`)).json)['muted'], false)
  await carol.post(`/api/v1/statuses/${root.id}/favourite`)
  await carol.post(`/api/v1/statuses/${root.id}/reblog`)
  await bob.postStatus(`@${alice.username} more`, { in_reply_to_id: reply.id })
  await dave.postStatus(`@${alice.username} a stranger`, { in_reply_to_id: reply.id })
  assert.deepEqual(await received(), [])
  await carol.post(`/api/v1/statuses/${aside.id}/favourite`)
  assert.deepEqual(await received(), ['favourite'])
  for (let time = 0; time < 2; time += 1)
    assert.equal(entity((await alice.post(`/api/v1/statuses/${root.id}/unmute`)).json)['muted'], false)
  await bob.postStatus(`@${alice.username} again`, { in_reply_to_id: reply.id })
  assert.deepEqual((await received())[0], 'mention')
})
