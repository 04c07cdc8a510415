import assert from 'node:assert/strict'
import { test } from 'tap'
import { Entries } from '../../../src/timelines/feeds/entries.ts'

/** Entries of statuses, or of boosts where a pair is given. */
function entriesOf(given: readonly (number | [id: number, status: number])[], groups = true): Entries {
  const entries = new Entries(groups)
  for (const one of given) {
    const [id, status] = typeof one === 'number' ? [one, one] : one
    entries.add(BigInt(id), BigInt(status))
  }
  return entries
}

const shown = (entries: Entries): number[] => entries.all().map(Number)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('entries are shown newest first, each once, in whatever order they arrived', async () => {
  assert.deepEqual(shown(entriesOf([3, 1, 2, 3, 2])), [3, 2, 1])
})

test('a boost is hidden while its status is shown', async () => {
  assert.deepEqual(shown(entriesOf([1, 2, [3, 1]])), [2, 1])
})

test('of two boosts the first is shown; when it is removed, the second takes its place', async () => {
  const entries = entriesOf([5, [6, 1], [7, 1], [8, 1]])
  assert.deepEqual(shown(entries), [6, 5])
  assert.equal(entries.state(7n), 'grouped')
  entries.remove(6n)
  assert.deepEqual(shown(entries), [7, 5])
})

test('the first arrival is shown, even when it is newer than later arrivals', async () => {
  const entries = entriesOf([4, [6, 1], [7, 1]])
  entries.add(1n, 1n, 8n)
  assert.deepEqual(shown(entries), [6, 4])
  entries.add(9n, 1n)
  assert.deepEqual(shown(entries), [6, 4])
  entries.remove(6n)
  assert.deepEqual(shown(entries), [7, 4])
  entries.remove(7n)
  assert.deepEqual(shown(entries), [4, 1])
})

test('a late arrival counts from then on', async () => {
  const entries = entriesOf([4, [9, 1]])
  entries.add(1n, 1n, 8n)
  assert.deepEqual(shown(entries), [4, 1])
  const sunk = entriesOf([[2, 1], ...range(3, 83)])
  sunk.add(1n, 1n, 90n)
  assert.deepEqual(shown(sunk).slice(-2), [2, 1])
})

test('without grouping every boost is shown', async () => {
  assert.deepEqual(shown(entriesOf([1, [2, 1], [3, 1]], false)), [3, 2, 1])
})

test('a boost is shown again when its status is no longer among the newest 80', async () => {
  assert.deepEqual(shown(entriesOf([1, ...range(2, 80), [81, 1]])).includes(81), false)
  assert.deepEqual(shown(entriesOf([1, ...range(2, 81), [82, 1]])).includes(82), true)
})

test('hidden entries do not count among the 80', async () => {
  const boosts = range(3, 100).map((id): [number, number] => [id, 2])
  assert.equal(entriesOf([1, 2, ...boosts, [101, 1]]).state(101n), 'grouped')
})

test('a status is removed with the boosts of it', async () => {
  const entries = entriesOf([2, 3, [4, 1], [5, 3]])
  entries.removeStatus(3n)
  entries.removeStatus(1n)
  assert.deepEqual(shown(entries), [2])
})

test('the order in which entries are added and removed makes no difference', async () => {
  const given = range(1, 60).map((id): [number, number] => [id, id % 3 === 0 ? (id * 7) % 20 : id])
  const straight = entriesOf(given)
  const shuffled = entriesOf(given.toSorted(([a], [b]) => ((a * 37) % 61) - ((b * 37) % 61)))
  for (const id of [6n, 21n, 40n]) {
    straight.remove(id)
    shuffled.remove(id)
  }
  shuffled.add(21n, BigInt((21 * 7) % 20))
  straight.add(21n, BigInt((21 * 7) % 20))
  assert.deepEqual(shown(shuffled), shown(straight))
})

test('pages: below, above and between ids', async () => {
  const entries = entriesOf(range(1, 10))
  const page = (cut: { limit: number; max_id?: string; since_id?: string; min_id?: string }): number[] =>
    (entries.page(cut) ?? []).map(Number)
  assert.deepEqual(page({ limit: 3 }), [10, 9, 8])
  assert.deepEqual(page({ limit: 3, max_id: '8' }), [7, 6, 5])
  assert.deepEqual(page({ limit: 3, since_id: '4' }), [10, 9, 8])
  assert.deepEqual(page({ limit: 3, since_id: '8' }), [10, 9])
  assert.deepEqual(page({ limit: 3, min_id: '4' }), [7, 6, 5])
  assert.deepEqual(page({ limit: 9, min_id: '4', max_id: '7' }), [6, 5])
  assert.deepEqual(page({ limit: 0 }), [])
  assert.deepEqual(page({ limit: 3, max_id: '9223372036854775807', min_id: '9223372036854775807' }), [])
  assert.deepEqual(page({ limit: 40, max_id: '0' }), [])
})

test('a feed shows 800 entries at most, and takes none older than those it has removed', async () => {
  const entries = entriesOf(range(1, 3000))
  assert.equal(shown(entries).length, 800)
  assert.equal(shown(entries).at(-1), 2201)
  assert.deepEqual(entries.page({ limit: 2, min_id: '1' }), ['2202', '2201'])
  assert.deepEqual(entries.page({ limit: 2, max_id: '2202' }), ['2201'])
  entries.add(5n, 5n)
  assert.equal(entries.state(5n), undefined)
  assert.equal(entries.isBeyond(5n), true)
  assert.equal(entries.isBeyond(2300n), false)
})

/** Numbers below `limit`, the same in each run. */
function drawFrom(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % limit
  }
}

test('pages of entries whose older ones are unknown equal those of all, or are not given', async () => {
  let given = 0
  for (let seed = 1; seed <= 200; seed++) {
    const draw = drawFrom(seed)
    const all = new Entries(true)
    const newest = new Entries(true, 300n)
    // Few statuses are boosted often; some entries arrive late.
    for (let id = 1; id <= 500; id++) {
      const isBoost = draw(10) < seed % 6
      const status = isBoost ? BigInt(seed % 2 === 0 ? 1 + draw(12) * 40 : Math.max(1, id - 1 - draw(150))) : BigInt(id)
      if (status > BigInt(id)) continue
      const arrived = draw(seed % 3 === 0 ? 40 : 400) === 0 ? BigInt(id + draw(200)) : BigInt(id)
      all.add(BigInt(id), status, arrived)
      newest.add(BigInt(id), status, arrived)
      if (draw(40) === 0) {
        const gone = BigInt(Math.max(1, id - draw(120)))
        all.removeStatus(gone)
        newest.removeStatus(gone)
      }
    }
    for (let turn = 0; turn < 40; turn++) {
      const limit = 1 + draw(40)
      const at = String(280 + draw(230))
      const range = [{}, { max_id: at }, { since_id: at }, { min_id: at }][turn % 4] ?? {}
      const page = newest.page({ limit, ...range })
      if (!page) continue
      given += 1
      assert.deepEqual(page, all.page({ limit, ...range }), `seed ${seed}, limit ${limit}, ${JSON.stringify(range)}`)
    }
  }
  assert.ok(given > 1500, `${given} pages`)
})

test('an entry below the known ones is not taken', async () => {
  const entries = new Entries(true, 10n)
  for (const id of [9n, 10n, 11n]) entries.add(id, id)
  assert.deepEqual(shown(entries), [11, 10])
  assert.deepEqual(entries.page({ limit: 2 }), ['11', '10'])
  assert.equal(entries.page({ limit: 3 }), undefined)
  assert.deepEqual(entries.page({ limit: 3, since_id: '9' }), ['11', '10'])
  assert.equal(entries.page({ limit: 3, since_id: '8' }), undefined)
  assert.deepEqual(entries.page({ limit: 3, min_id: '10' }), ['11'])
  assert.equal(entries.page({ limit: 3, min_id: '8' }), undefined)
  assert.equal(entries.page({ limit: 3, max_id: '10' }), undefined)
})
