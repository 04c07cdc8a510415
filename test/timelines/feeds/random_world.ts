import { readFileSync } from 'node:fs'
import type { Relations } from '../../../src/accounts/relationships/index.ts'
import type { Id } from '../../../src/core/id.ts'
import type { Services } from '../../../src/platform/services.ts'
import { createFeed, sourcesOf, type Feed } from '../../../src/timelines/feeds/feed.ts'
import type { FeedName } from '../../../src/timelines/feeds/name.ts'
import { createPost, type FeedFacts } from '../../../src/timelines/feeds/rules.ts'
import { sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

const WORLD = readFileSync(new URL('random_world.sql', import.meta.url), 'utf8')
const ALL_AT_ONCE = readFileSync(new URL('all_at_once.sql', import.meta.url), 'utf8')

type Row = FeedFacts & { readonly id: Id; readonly account_id: Id; readonly arrived: Id | null }

/** The feed as one statement reads it: with all joins, for all its statuses. */
export async function readAllAtOnce(services: Services, name: FeedName, relations: Relations): Promise<Feed> {
  const sources = sourcesOf(name, relations)
  if (!sources) throw new Error('there is no such list')
  const values = [name.owner, [...sources.accounts], [...sources.tags], 200, 1600]
  const { rows } = await services.database.withClient(client => client.query<Row>(ALL_AT_ONCE, values))
  const seen = new Map<Id, number>()
  for (const { id, reblog_of_id: boosted } of rows) seen.set(boosted ?? id, (seen.get(boosted ?? id) ?? 0) + 1)
  const feed = createFeed(name, relations, 0n)
  for (const { id, account_id: author, arrived, ...facts } of rows) {
    const isSeveral = (seen.get(facts.reblog_of_id ?? id) ?? 0) > 1
    feed.put(createPost(id, author, facts), Date.now(), isSeveral && arrived !== null ? BigInt(arrived) : undefined)
  }
  return feed
}

/**
 * Fills the database with accounts in all states and their statuses of a month, and gives these
 * people random follows, blocks, mutes, lists and hashtags. The same for the same seed.
 * @returns the names of all their feeds
 */
export async function makeWorld(
  server: TestServer,
  people: readonly Person[],
  { seed, statuses, lateFollows }: { seed: number; statuses: number; lateFollows: number },
): Promise<FeedName[]> {
  const values = {
    VIEWERS: people.map(({ id }) => id).join(),
    SEED: seed,
    STATUSES: statuses,
    LATE_FOLLOWS: lateFollows,
  }
  const text = Object.entries(values).reduce((all, [word, value]) => all.replaceAll(word, String(value)), WORLD)
  await sql(server, text)
  const owners = people.map(({ id }) => id)
  const lists = await sql(server, 'select id, account_id as owner from lists where account_id = any ($1) order by id', [
    owners,
  ])
  return [
    ...owners.map(owner => ({ kind: 'home', owner }) as const),
    ...lists.map(({ id, owner }) => ({ kind: 'list', owner: String(owner), list: String(id) }) as const),
  ]
}
