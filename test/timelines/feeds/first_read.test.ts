import assert from 'node:assert/strict'
import { test } from 'tap'
import { relationships } from '../../../src/accounts/relationships/index.ts'
import type { Services } from '../../../src/platform/services.ts'
import { feeds, keyOf, type FeedName, type PageRange } from '../../../src/timelines/feeds/index.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { otherProcess } from './observer.ts'
import { makeWorld, readAllAtOnce } from './random_world.ts'

/** A feed that is read page by page shows what one statement finds that reads all of it at once. */

const relationsOf = (services: Services, { owner }: FeedName) => relationships(services).get(owner)

/** All pages from the newest to the oldest entry. */
async function readToTheEnd(services: Services, name: FeedName, limit: number): Promise<string[]> {
  const all: string[] = []
  for (let range: PageRange = { limit }; ; range = { limit, max_id: all.at(-1) }) {
    const page = await feeds(services).page(name, range)
    assert.ok(page)
    all.push(...page)
    if (page.length < limit) return all
  }
}

/** Drops all feeds in memory, in all processes. */
const forgetFeeds = (person: Person): Promise<unknown> =>
  sql(person.server, `insert into events (kind, data) values ('caches.cleared', '{"change": "feeds"}')`)

for (const [seed, statuses, lateFollows] of [
  [1, 2600, 0.02],
  [2, 2600, 0.3],
  [3, 700, 0],
  [4, 150, 1],
] as const)
  test(`pages equal those of one statement that reads all at once (world ${seed})`, async t => {
    const { a, b, c, d, server } = await people(t, 'a', 'b', 'c', 'd')
    const names = await makeWorld(server, [a, b, c, d], { seed, statuses, lateFollows })
    const services = await otherProcess(t, server)
    const another = await otherProcess(t, server)
    let shown = 0
    for (const name of names) {
      const expected = (await readAllAtOnce(services, name, await relationsOf(services, name))).entries
      assert.deepEqual(await readToTheEnd(services, name, 20), expected.all(), keyOf(name))
      shown += expected.all().length
      // Another process begins elsewhere in the feed.
      const all = expected.all()
      for (const at of [all[45], all[2], all[130], all.at(-1)]) {
        const ranges = [{}, { max_id: at }, { since_id: at }, { min_id: at }]
        for (const range of ranges)
          assert.deepEqual(
            await feeds(another).page(name, { limit: 40, ...range }),
            expected.page({ limit: 40, ...range }),
            `${keyOf(name)} ${JSON.stringify(range)}`,
          )
      }
    }
    assert.ok(shown > statuses / 2, `${shown} shown`)
  })

/** Resolves when the process has received all earlier events. */
async function caughtUp(services: Services): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const mark = String(process.hrtime.bigint())
  const subscription = services.events.log$.subscribe(event => {
    if ('mark' in event.data && event.data.mark === mark) resolve()
  })
  await services.database.withClient(client =>
    client.query(`insert into events (kind, data) values ('test.mark', $1)`, [{ mark }]),
  )
  services.events.readOn()
  await promise
  subscription.unsubscribe()
}

/** Hides an account, or shows it again, as moderators do. */
const setSuspended = (person: Person, isSuspended: boolean): Promise<unknown> =>
  sql(
    person.server,
    `with changed as (update accounts set suspended_at = case when $2 then now() end where id = $1 returning id)
     insert into events (kind, account_id, data)
     select 'account.changed', id, jsonb_build_object('change', case when $2 then 'suspended' else 'unsuspended' end)
     from changed`,
    [person.id, isSuspended],
  )

/** One change of another kind for each turn. */
async function change(
  turn: number,
  { actors, hidden, mine }: { actors: readonly Person[]; hidden: Person; mine: { id: string; author: Person }[] },
): Promise<void> {
  const [actor, other] = [actors[turn % actors.length], actors[(turn * 7 + 3) % actors.length]]
  const own = mine[(turn * 5) % Math.max(1, mine.length)]
  assert.ok(actor && other)
  const changes = [
    async () => mine.push({ id: (await actor.postStatus('hello', { language: 'de' })).id, author: actor }),
    async () => own && actor.post(`/api/v1/statuses/${own.id}/reblog`),
    async () => own && own.author.put(`/api/v1/statuses/${own.id}`, { status: 'edited', language: 'en' }),
    async () => own && actor.post(`/api/v1/statuses/${own.id}/unreblog`),
    async () => {
      if (!own || mine.length < 4) return
      mine.splice(mine.indexOf(own), 1)
      await own.author.delete(`/api/v1/statuses/${own.id}`)
    },
    async () => other !== actor && actor.post(`/api/v1/accounts/${other.id}/follow`, { reblogs: turn % 3 > 0 }),
    async () => other !== actor && actor.post(`/api/v1/accounts/${other.id}/mute`),
    async () => other !== actor && actor.post(`/api/v1/accounts/${other.id}/unmute`),
    async () => setSuspended(hidden, true),
    async () => setSuspended(hidden, false),
  ]
  await changes[(turn * 3) % changes.length]?.()
}

test('feeds that are read for the first time while events arrive equal those that are read afterwards', async t => {
  const { a, b, c, d, e, server } = await people(t, 'a', 'b', 'c', 'd', 'e')
  const readers = [a, b, c]
  const names = await makeWorld(server, readers, { seed: 7, statuses: 900, lateFollows: 0.1 })
  const services = await otherProcess(t, server)
  for (const one of [d, e]) for (const reader of readers) await reader.follow(one)
  for (let count = 0; count < 8; count++) await e.postStatus('of somebody who comes and goes')
  const mine: { id: string; author: Person }[] = []
  for (let round = 0; round < 6; round++) {
    await forgetFeeds(a)
    const reads = names.map(name => feeds(services).page(name, { limit: 20 }))
    const changes = Array.from({ length: 6 }, (_, index) =>
      change(round * 6 + index + 1, { actors: [d, a, b, c], hidden: e, mine }),
    )
    await Promise.all(changes)
    const later = names.map(name => feeds(services).page(name, { limit: 40 }))
    await Promise.all([...reads, ...later])
    await caughtUp(services)
    for (const name of names) {
      const expected = (await readAllAtOnce(services, name, await relationsOf(services, name))).entries
      assert.deepEqual(
        await feeds(services).page(name, { limit: 40 }),
        expected.page({ limit: 40 }),
        `${keyOf(name)}, round ${round}`,
      )
    }
  }
  const [name] = names
  assert.ok(name)
  const { entries } = await readAllAtOnce(services, name, await relationsOf(services, name))
  assert.deepEqual(await readToTheEnd(services, name, 20), entries.all())
})

test('a reply leaves the feeds that are read after its parent was deleted, though it was in memory', async t => {
  const { a, b, c, server } = await people(t, 'a', 'b', 'c')
  const services = await otherProcess(t, server)
  for (const one of [b, c]) await a.follow(one)
  const parent = await b.postStatus('parent')
  const reply = await c.postStatus('reply', { in_reply_to_id: parent.id })
  const name = { kind: 'home', owner: a.id } as const
  await caughtUp(services)
  assert.deepEqual(await feeds(services).page(name, { limit: 9 }), [reply.id, parent.id])
  await b.delete(`/api/v1/statuses/${parent.id}`)
  await forgetFeeds(a)
  await caughtUp(services)
  assert.deepEqual(await feeds(services).page(name, { limit: 9 }), [])
})

test('a feed that is read later follows edits and deletions', async t => {
  const { a, b, c, d, server } = await people(t, 'a', 'b', 'c', 'd')
  for (const followed of [b, d]) await a.post(`/api/v1/accounts/${followed.id}/follow`)
  await a.post('/api/v1/tags/rivers/follow')
  const services = await otherProcess(t, server)
  const home = (): Promise<string[] | undefined> => feeds(services).page({ kind: 'home', owner: a.id }, { limit: 9 })
  /** As for somebody who has not been here for long. */
  async function firstRead(): Promise<string[] | undefined> {
    await caughtUp(services)
    await a.post(`/api/v1/accounts/${b.id}/follow`, { notify: true })
    await a.post(`/api/v1/accounts/${b.id}/follow`, { notify: false })
    await caughtUp(services)
    return home()
  }
  assert.deepEqual(await home(), [])
  const [lost, found] = [await c.postStatus('about #rivers'), await c.postStatus('about nothing')]
  const answer = await b.postStatus('yes', { in_reply_to_id: (await d.postStatus('really?')).id })
  const question = answer.in_reply_to_id
  assert.deepEqual(await firstRead(), [answer.id, question, lost.id])
  await c.put(`/api/v1/statuses/${lost.id}`, { status: 'about nothing' })
  await c.put(`/api/v1/statuses/${found.id}`, { status: 'about #rivers' })
  assert.deepEqual(await firstRead(), [answer.id, question, found.id])
  await d.delete(`/api/v1/statuses/${String(question)}`)
  assert.deepEqual(await firstRead(), [found.id])
  const other = await b.postStatus('yes', { in_reply_to_id: (await d.postStatus('sure?')).id })
  assert.deepEqual(await firstRead(), [other.id, other.in_reply_to_id, found.id])
  await sql(
    server,
    `with gone as (delete from accounts where id = $1 returning id)
     insert into events (kind, account_id, data) select 'account.deleted', id, '{}' from gone`,
    [d.id],
  )
  // They answer nobody any more.
  assert.deepEqual(await firstRead(), [other.id, answer.id, found.id])
})

test('the feeds of one account are cleared, those of others stay', async t => {
  const { a, b, server } = await people(t, 'a', 'b')
  await b.post(`/api/v1/accounts/${a.id}/follow`)
  await a.post('/api/v1/statuses', { status: 'hello' })
  const services = await otherProcess(t, server)
  const homes = (): Promise<number[]> =>
    Promise.all(
      [a, b].map(
        async ({ id }) => (await feeds(services).page({ kind: 'home', owner: id }, { limit: 20 }))?.length ?? 0,
      ),
    )
  await caughtUp(services)
  assert.deepEqual(await homes(), [1, 1])
  // No event tells of it: feeds in memory still have the post.
  await sql(server, 'delete from statuses')
  assert.deepEqual(await homes(), [1, 1])
  await sql(
    server,
    `insert into events (kind, account_id, data) values ('caches.cleared', $1, '{"change": "feeds"}')`,
    [a.id],
  )
  await caughtUp(services)
  assert.deepEqual(await homes(), [0, 1])
})
