import assert from 'node:assert/strict'
import { test } from 'tap'
import { RecentPosts } from '../../../src/timelines/feeds/recent_posts.ts'
import type { FeedFacts } from '../../../src/timelines/feeds/rules.ts'
import { PLAIN } from './plain_facts.ts'

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
  readonly tags: readonly string[]
}

const ENOUGH_BYTES = 10_000_000

const factsOf = ({ tags }: Pick<Status, 'tags'>): FeedFacts => ({ ...PLAIN, tags })

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

/** As the server loads them: a part after the other, the newest first. */
function split(statuses: readonly Status[], limit: number, limitBytes = ENOUGH_BYTES): RecentPosts {
  const recent = new RecentPosts(limit, limitBytes)
  for (let left = statuses.toSorted(byId), isWanted = true; isWanted;) {
    const part = left.slice(-100)
    left = left.slice(0, -100)
    isWanted = recent.prepend(
      {
        ids: part.map(({ id }) => id),
        authors: part.map(({ account }) => account),
        facts: part.map(factsOf),
      },
      recent.from,
      left.length === 0,
    )
  }
  return recent
}

for (const seed of [1, 2, 3])
  test(`posts in memory are those of all statuses, or are said not to be known (seed ${seed})`, async () => {
    const LIMIT = 700
    const random = randomNumbers(seed)
    const newStatus = (at: number): Status => ({
      // Ids come late and out of order, as from other servers and other processes.
      id: String((BigInt(at * 50 - random(random(10) === 0 ? 20_000 : 200)) << 16n) + BigInt(at)),
      account: `account ${random(40)}`,
      tags: random(8) === 0 ? [`tag ${random(4)}`, `tag ${random(4)}`] : [],
    })
    let statuses = Array.from({ length: seed * 500 }, (_, at) => newStatus(at + 500))
    const recent = split(statuses, LIMIT)
    let known = 0
    for (let at = 3000; at < 9000; at++) {
      const kind = random(100)
      if (kind < 90) {
        const status = newStatus(at)
        statuses.push(status)
        recent.add(status.id, status.account, factsOf(status))
        recent.add(status.id, status.account, factsOf(status))
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
      const tagNames = new Set(random(3) === 0 ? [`tag ${random(5)}`] : [])
      const found = recent.newest({ accounts, tagNames }, limit, each)
      if (!found) continue
      known += 1
      const ofAccounts = new Set(newestOfEach(statuses, each).filter(({ account }) => accounts.has(account)))
      const expected = statuses
        .filter(status => ofAccounts.has(status) || status.tags.some(tag => tagNames.has(tag)))
        .toSorted(byId)
      assert.deepEqual(
        found.ids.map((id, place) => ({ id, post: found.posts[place] })),
        expected
          .slice(-limit)
          .map(status => ({ id: status.id, post: { author: status.account, facts: factsOf(status) } })),
      )
      assert.equal(found.from, expected.length < limit ? 0n : BigInt(found.ids[0] ?? 0))
    }
    assert.ok(known > 60, `${known} known`)
    assert.ok(recent.size <= LIMIT + 1024)
  })

const of = (...accounts: string[]) => ({ accounts, tagNames: [] })

test('fewer posts than asked for are an answer only when there are no others', async () => {
  const two = [
    { id: '1', account: 'a', tags: [] },
    { id: '2', account: 'b', tags: [] },
  ]
  const idsOf = (recent: RecentPosts, account: string, limit: number) => {
    const { ids, from } = recent.newest(of(account), limit, 5) ?? {}
    return { ids, from }
  }
  assert.deepEqual(idsOf(split(two, 3), 'a', 5), { ids: ['1'], from: 0n })
  assert.deepEqual(idsOf(split(two, 3), 'nobody', 5), { ids: [], from: 0n })
  const newest = split(two, 3)
  newest.add('3', 'c', undefined)
  newest.add('4', 'c', undefined)
  assert.equal(newest.newest(of('a'), 5, 5), undefined)
  assert.deepEqual(idsOf(newest, 'c', 2), { ids: ['3', '4'], from: 3n })
})

test('changed posts have no facts, and may have every hashtag', async () => {
  const posts = ['1', '2', '3'].map(id => ({ id, account: 'a', tags: ['tag'] }))
  const recent = split(posts, 10)
  recent.dropFacts('2')
  recent.dropFactsWhere(({ tags }) => tags.includes('other'))
  const { posts: found } = recent.newest({ accounts: [], tagNames: ['other'] }, 5, 5) ?? {}
  assert.deepEqual(found, [undefined])
  assert.deepEqual([recent.get('2'), recent.get('4')], [undefined, undefined])
  assert.deepEqual(recent.get('3'), { author: 'a', facts: factsOf({ tags: ['tag'] }) })
  recent.dropFactsWhere(({ tags }) => tags.includes('tag'))
  assert.equal(recent.get('3'), undefined)
})

test('they take no more memory than they may', async () => {
  const LIMIT_BYTES = 100_000
  const posts = Array.from({ length: 3000 }, (_, at) => ({
    id: String(at + 1),
    account: `account ${at % 10}`,
    tags: Array.from({ length: 20 }, (__, tag) => `tag ${tag}`),
  }))
  const recent = split(posts.slice(0, 1000), 50_000, LIMIT_BYTES)
  assert.ok(recent.size > 20 && recent.sizeBytes <= LIMIT_BYTES, `${recent.size} posts, ${recent.sizeBytes} bytes`)
  for (const post of posts.slice(1000)) {
    recent.add(post.id, post.account, factsOf(post))
    assert.ok(recent.sizeBytes <= LIMIT_BYTES)
  }
  assert.deepEqual(recent.newest(of('account 9'), 1, 5)?.ids, ['3000'])
  for (const { account } of posts.slice(0, 10)) recent.removeAccount(account)
  assert.equal(recent.size, 0)
  const empty = new RecentPosts(50_000, LIMIT_BYTES)
  assert.equal(recent.sizeBytes, empty.sizeBytes)
})
