import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../support/people.ts'

const DISABLED = [403, { error: 'Your login is currently disabled' }]
const LISTS = {
  directory: ['/api/v1/directory', { limit: '80' }],
  suggestions: ['/api/v2/suggestions', {}],
  'suggestions of version 1': ['/api/v1/suggestions', {}],
  search: ['/api/v1/accounts/search', { q: 'standing' }],
} as const

type Place = keyof typeof LISTS

interface AccountState {
  readonly column: string
  readonly value: unknown
  /** The member of the entity that marks the state. */
  readonly marked: string | null
  readonly follow: 'following' | 'requested' | 403
  readonly in: readonly Place[]
  /** The status of requests by the account itself. */
  readonly own: 200 | 403
  readonly followsAs: 'following' | 'requested' | 403
}

const now = new Date()

test('the state of an account decides what it may do and which lists show it', async t => {
  const { bob, anonymous, server } = await people(t, 'bob')
  const target = (await person(server, 'target')).id
  const all = Object.keys(LISTS) as Place[]
  const table: AccountState[] = [
    { column: 'note', value: '', marked: null, follow: 'following', in: all, own: 200, followsAs: 'following' },
    {
      column: 'silenced_at',
      value: now,
      marked: 'limited',
      follow: 'following',
      in: ['search'],
      own: 200,
      followsAs: 'requested',
    },
    { column: 'moved_to_account_id', value: target, marked: 'moved', follow: 403, in: [], own: 403, followsAs: 403 },
    {
      column: 'memorial',
      value: true,
      marked: 'memorial',
      follow: 'following',
      in: ['directory', 'search'],
      own: 403,
      followsAs: 403,
    },
  ]
  for (const state of table) {
    const { column, value } = state
    const one = await person(server, 'standing', { account: { discoverable: true, [column]: value } })
    // Accounts that a followed account follows are suggested.
    await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [bob.id, one.id])
    const alice = await person(server, 'alice')
    await alice.follow(bob)
    const shown = (await anonymous.get(`/api/v1/accounts/${one.id}`)).json as Record<string, unknown>
    for (const mark of ['limited', 'moved', 'memorial', 'suspended']) {
      assert.equal(mark in shown, mark === state.marked, `${column}: ${mark}`)
    }
    for (const place of all) {
      const [path, query] = LISTS[place]
      const { text } = await alice.get(path, query)
      assert.equal(text.includes(`"id":"${one.id}"`), state.in.includes(place), `${column}: ${place}`)
    }
    const followed = await alice.post(`/api/v1/accounts/${one.id}/follow`)
    const own = await one.get('/api/v1/preferences')
    const follows = await one.post(`/api/v1/accounts/${target}/follow`)
    for (const [response, wanted, what] of [
      [followed, state.follow, 'is followed'],
      [follows, state.followsAs, 'follows'],
    ] as const) {
      const relation = response.json as Record<string, unknown>
      if (wanted === 403) assert.equal(response.status, 403, `${column} ${what}`)
      else assert.equal(relation[wanted], true, `${column} ${what}: ${response.text}`)
    }
    if (state.own === 403) assert.deepEqual([own.status, own.json], DISABLED, column)
    else assert.equal(own.status, 200, column)
    assert.equal((await one.get(`/api/v1/accounts/${bob.id}`)).status, 200, `${column}: public reads stay possible`)
  }
})
