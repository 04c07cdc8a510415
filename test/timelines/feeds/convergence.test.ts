import assert from 'node:assert/strict'
import { test } from 'tap'
import { feeds, type FeedName } from '../../../src/timelines/feeds/index.ts'
import type { Services } from '../../../src/platform/services.ts'
import { people, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { otherProcess } from './observer.ts'

/**
 * A feed that followed events equals one that is read from the database, after any actions, here
 * and in another process.
 */

/** Numbers below 1, the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface World {
  readonly server: TestServer
  readonly actors: readonly Person[]
  readonly random: () => number
  /** Unique to this run, because only the newest 200 statuses of a tag are read. */
  readonly tags: readonly [string, string]
  /**
   * Statuses that may be replied to, boosted, edited and deleted. Those with replies are not
   * deleted, and those with mentions not edited: see the exceptions in
   * src/timelines/feeds/index.ts.
   */
  readonly statuses: { readonly id: string; readonly author: Person; readonly mentions: boolean; answered: boolean }[]
}

function pick<T>(world: World, from: readonly T[]): T {
  const one = from[Math.floor(world.random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

async function postStatus(world: World, actor: Person, more: Record<string, unknown> = {}): Promise<void> {
  const words = ['hello', `@${pick(world, world.actors).username}`, ...world.tags]
  const visibility = pick(world, ['public', 'public', 'unlisted', 'private', 'direct'])
  const language = pick(world, ['en', 'de'])
  const text = `${pick(world, words)} ${pick(world, words)}`
  const response = await actor.post('/api/v1/statuses', { status: text, visibility, language, ...more })
  if (response.status !== 200) return
  const { id } = response.json as { id: string }
  world.statuses.push({ id, author: actor, mentions: text.includes('@'), answered: false })
}

/** A random action of one account, including relationships if they may change. */
async function act(world: World, relations: boolean): Promise<void> {
  const actor = pick(world, world.actors)
  const other = pick(world, world.actors)
  const known = world.statuses.length > 0 ? pick(world, world.statuses) : undefined
  const die = world.random() * (relations ? 1 : 0.75)
  if (die < 0.3 || !known) return postStatus(world, actor)
  if (die < 0.45) {
    known.answered = true
    return postStatus(world, actor, { in_reply_to_id: known.id })
  }
  const path = `/api/v1/statuses/${known.id}`
  if (die < 0.6) await actor.post(`${path}/reblog`)
  else if (die < 0.65) await actor.post(`${path}/unreblog`)
  else if (die < 0.7 && !known.mentions)
    await known.author.put(path, { status: pick(world, ['edited', ...world.tags]) })
  else if (die < 0.75 && !known.answered) {
    world.statuses.splice(world.statuses.indexOf(known), 1)
    await known.author.delete(path)
  } else if (relations) await relate(world, actor, other)
}

async function relate(world: World, actor: Person, other: Person): Promise<void> {
  if (actor === other) return
  const what = pick(world, [
    'follow',
    'follow',
    'follow',
    'unfollow',
    'mute',
    'unmute',
    'unmute',
    'block',
    'unblock',
    'unblock',
  ])
  const options =
    what === 'follow' ? { reblogs: world.random() < 0.8, languages: world.random() < 0.2 ? ['de'] : null } : {}
  await actor.post(`/api/v1/accounts/${other.id}/${what}`, options)
}

async function makeLists(world: World): Promise<FeedName[]> {
  const names: FeedName[] = []
  for (const [index, owner] of world.actors.entries()) {
    names.push({ kind: 'home', owner: owner.id })
    const policy = pick(world, ['list', 'followed', 'none'])
    const response = await owner.post('/api/v1/lists', {
      title: 'list',
      replies_policy: policy,
      exclusive: index % 3 === 0,
    })
    const { id: list } = response.json as { id: string }
    for (const other of world.actors) {
      if (world.random() < 0.5) await owner.post(`/api/v1/accounts/${other.id}/follow`)
      if (world.random() < 0.5) await owner.post(`/api/v1/lists/${list}/accounts`, { account_ids: [other.id] })
    }
    names.push({ kind: 'list', owner: owner.id, list })
  }
  return names
}

const pages = (services: Services, names: readonly FeedName[]): Promise<(string[] | undefined)[]> =>
  Promise.all(names.map(name => feeds(services).page(name, { limit: 800 })))

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

for (const seed of [1, 2, 3]) {
  test(`after random actions a feed that followed them equals one that was read again (seed ${seed})`, async t => {
    const { server, a, b, c, d, e } = await people(t, 'a', 'b', 'c', 'd', 'e')
    const world: World = {
      server,
      actors: [a, b, c, d, e],
      random: randomOf(seed),
      tags: [`#tea${a.id}`, `#coffee${a.id}`],
      statuses: [],
    }
    await postStatus(world, a, { status: world.tags.join(' '), visibility: 'public' })
    await sql(
      server,
      `insert into tag_follows (account_id, tag_id) select a.id, t.id from accounts a, tags t
       where (a.id = $1 and t.name = $3) or (a.id = $2 and t.name = $4)`,
      [b.id, c.id, `tea${a.id}`, `coffee${a.id}`],
    )
    await sql(server, `update users set preferences = '{"aggregate_reblogs": false}' where account_id = $1`, [d.id])
    const names = await makeLists(world)
    const follower = await otherProcess(t, server)
    // All feeds are in memory before it begins, in both processes.
    await pages(follower, names)
    const homes = (): Promise<unknown[]> =>
      Promise.all(world.actors.map(async one => (await one.get('/api/v1/timelines/home', { limit: '40' })).json))
    await homes()
    for (let turn = 0; turn < 120; turn++) await act(world, true)
    await caughtUp(follower)
    await pages(follower, names)
    await homes()
    for (let turn = 0; turn < 100; turn++) await act(world, false)
    await caughtUp(follower)
    const followed = await pages(follower, names)
    const read = await pages(await otherProcess(t, server), names)
    assert.deepEqual(followed, read)
    assert.ok(followed.some(page => page !== undefined && page.length > 20))
    const shown = (await homes()) as { id: string }[][]
    for (const [index, home] of shown.entries()) {
      const expected = new Set(read[index * 2])
      assert.ok(home.every(status => expected.has(status.id)))
      assert.deepEqual(
        home.map(status => status.id),
        [...expected].filter(id => home.some(status => status.id === id)),
      )
    }
  })
}
