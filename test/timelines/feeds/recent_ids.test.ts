import assert from 'node:assert/strict'
import { test } from 'tap'
import { RecentIds } from '../../../src/timelines/feeds/recent_ids.ts'

/** Numbers below `below`, the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

interface Status {
  readonly id: string
  readonly account: string
}

const byId = (a: Status, b: Status): number => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)

/** The newest statuses of each account, oldest first. */
function newestOfEach(statuses: readonly Status[], each: number): Status[] {
  const counts = new Map<string, number>()
  return statuses
    .toSorted(byId)
    .toReversed()
    .filter(({ account }) => {
      const count = (counts.get(account) ?? 0) + 1
      counts.set(account, count)
      return count <= each
    })
    .toReversed()
}

const split = (statuses: readonly Status[], limit: number): RecentIds => {
  const newest = statuses.toSorted(byId).slice(-limit)
  return new RecentIds(
    newest.map(({ id }) => id),
    newest.map(({ account }) => account),
    limit,
  )
}

for (const seed of [1, 2, 3])
  test(`ids in memory are those of all statuses, or are said not to be known (seed ${seed})`, async () => {
    const LIMIT = 700
    const random = randomNumbers(seed)
    const newStatus = (at: number): Status => ({
      // Ids come late and out of order, as from other servers and other processes.
      id: String((BigInt(at * 50 - random(random(10) === 0 ? 20_000 : 200)) << 16n) + BigInt(at)),
      account: `account ${random(40)}`,
    })
    let statuses = Array.from({ length: seed * 500 }, (_, at) => newStatus(at + 500))
    const recent = split(statuses, LIMIT)
    let known = 0
    for (let at = 3000; at < 9000; at++) {
      const kind = random(100)
      if (kind < 90) {
        const status = newStatus(at)
        statuses.push(status)
        recent.add(status.id, status.account)
        recent.add(status.id, status.account)
      } else if (kind < 99) {
        const [removed] = statuses.splice(random(statuses.length), 1)
        if (removed) recent.remove(removed.id)
      } else if (random(20) === 0) {
        const gone = `account ${random(40)}`
        statuses = statuses.filter(({ account }) => account !== gone)
        recent.removeAccount(gone)
      }
      if (at % 50 !== 0) continue
      const accounts = new Set(Array.from({ length: random(12) }, () => `account ${random(44)}`))
      const limit = random(30) + 1
      const each = random(2) === 0 ? 255 : random(6) + 1
      const found = recent.newest(accounts, limit, each)
      if (!found) continue
      known += 1
      const expected = newestOfEach(statuses, each).filter(({ account }) => accounts.has(account))
      assert.deepEqual(
        found.ids,
        expected.slice(-limit).map(({ id }) => id),
      )
      assert.equal(found.from, expected.length < limit ? 0n : BigInt(found.ids[0] ?? 0))
    }
    assert.ok(known > 60, `${known} known`)
    assert.ok(recent.size <= LIMIT + 1024)
  })

test('fewer ids than asked for are an answer only when there are no others', async () => {
  const two = [
    { id: '1', account: 'a' },
    { id: '2', account: 'b' },
  ]
  assert.deepEqual(split(two, 3).newest(['a'], 5, 5), { ids: ['1'], from: 0n })
  assert.deepEqual(split(two, 3).newest(['nobody'], 5, 5), { ids: [], from: 0n })
  assert.equal(split(two, 2).newest(['a'], 5, 5), undefined)
  assert.deepEqual(split(two, 2).newest(['b'], 1, 5), { ids: ['2'], from: 2n })
})
