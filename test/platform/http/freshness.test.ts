import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes, openPair } from '../settings/pair.ts'
import { Client } from '../../support/client.ts'
import { Person } from '../../support/people.ts'

/*
 * The cache for clients that are not signed in, under random writes at two processes while others
 * read (issue 6, line 7): what an acknowledged write has made is what the next read at the same
 * process shows, and soon what is shown at the other.
 */

const STEPS = 50
const SEEDS = [1, 20, 300]

/** Mulberry32: numbers from 0 to below 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The expected view of a status for anonymous clients. */
interface Known {
  readonly id: string
  readonly author: number
  text: string
  likes: Set<number>
  replies: number
  deleted: boolean
}

interface Shown {
  content: string
  favourites_count: number
  replies_count: number
  account: { display_name: string }
}

class Model {
  readonly statuses: Known[] = []
  readonly names = ['one', 'two']

  expected(known: Known): unknown {
    if (known.deleted) return 404
    return [`<p>${known.text}</p>`, known.likes.size, known.replies, this.names[known.author]]
  }

  /** The texts of the remaining statuses in the public timeline, newest first. */
  timeline(): string[] {
    return this.statuses
      .filter(({ deleted }) => !deleted)
      .map(({ text }) => `<p>${text}</p>`)
      .toReversed()
      .slice(0, 20)
  }
}

const facts = ({ content, favourites_count, replies_count, account }: Shown): unknown => [
  content,
  favourites_count,
  replies_count,
  account.display_name,
]

async function look(client: Client, { id }: Known): Promise<unknown> {
  const { status, json } = await client.get(`/api/v1/statuses/${id}`)
  return status === 200 ? facts(json as Shown) : status
}

const lookAtTimeline = async (client: Client): Promise<unknown> =>
  ((await client.get('/api/v1/timelines/public')).json as Shown[]).map(({ content }) => content)

/**
 * One random write. `people` are the same two accounts, as clients of the process that is written
 * to.
 */
async function write(model: Model, people: readonly Person[], random: () => number, step: number): Promise<string> {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const who = random() < 0.5 ? 0 : 1
  const person = people[who] as Person
  const target = pick(model.statuses.filter(({ deleted }) => !deleted))
  const chance = random()
  if (!target || chance < 0.15) {
    const { id } = await person.postStatus(`post ${step}`)
    model.statuses.push({ id, author: who, text: `post ${step}`, likes: new Set(), replies: 0, deleted: false })
    return 'post'
  }
  const own = people[target.author] as Person
  const path = `/api/v1/statuses/${target.id}`
  if (chance < 0.4) {
    target.text = `edit ${step}`
    await own.put(path, { status: target.text })
    return `edit ${target.id}`
  }
  if (chance < 0.6) {
    const liked = target.likes.has(who)
    if (liked) target.likes.delete(who)
    else target.likes.add(who)
    await person.post(`${path}/${liked ? 'unfavourite' : 'favourite'}`)
    return `like ${target.id}`
  }
  if (chance < 0.75) {
    await person.postStatus(`reply ${step}`, { in_reply_to_id: target.id, visibility: 'unlisted' })
    target.replies += 1
    return `reply ${target.id}`
  }
  if (chance < 0.9) {
    model.names[who] = `name ${step}`
    await person.patch('/api/v1/accounts/update_credentials', { display_name: model.names[who] })
    return `rename ${who}`
  }
  target.deleted = true
  await own.delete(path)
  return `delete ${target.id}`
}

/** Waits until a process shows everything that others have written. */
async function receivesAll(client: Client, model: Model, when: string): Promise<void> {
  for (const known of model.statuses)
    await becomes(() => look(client, known), model.expected(known), `${when}: ${known.id} elsewhere`)
  await becomes(() => lookAtTimeline(client), model.timeline(), `${when}: elsewhere`)
}

for (const seed of SEEDS) {
  test(`a read after an acknowledged write shows it, among other writes and reads (seed ${seed})`, async t => {
    const random = randomFrom(seed)
    const pair = await openPair(t)
    const made = [await pair.person('a'), await pair.person('b')]
    const model = new Model()
    const places = pair.servers.map(server => ({
      people: made.map(({ token = '', id, userId, username }) => new Person(server, token, { id, userId, username })),
      anonymous: new Client(server),
    }))
    for (const [index, one] of made.entries())
      await one.patch('/api/v1/accounts/update_credentials', { display_name: model.names[index] })
    let last = places[0]
    for (let step = 0; step < STEPS; step += 1) {
      const [here, there] = random() < 0.5 ? places : places.toReversed()
      assert.ok(here && there)
      if (here !== last) await receivesAll(here.anonymous, model, `seed ${seed}, before step ${step}`)
      last = here
      const watched = model.statuses.filter(() => random() < 0.5).slice(-6)
      // Read during the writes, so that responses are being built when the event arrives.
      const around = [here, there].flatMap(({ anonymous }) => [
        ...watched.map(known => look(anonymous, known)),
        lookAtTimeline(anonymous),
      ])
      const what = `seed ${seed}, step ${step}: ${await write(model, here.people, random, step)}`
      for (const known of model.statuses) {
        assert.deepEqual(await look(here.anonymous, known), model.expected(known), `${what}, read ${known.id}`)
      }
      assert.deepEqual(await lookAtTimeline(here.anonymous), model.timeline(), what)
      await Promise.all(around)
    }
  })
}
