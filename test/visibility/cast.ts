import type { Test } from 'tap'
import { Client } from '../support/client.ts'
import { makeToken, people, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Persons, by their relation to the author. */
export const PEOPLE = ['author', 'follower', 'friend', 'mentioned', 'stranger', 'blocked', 'blocking'] as const
export const VIEWERS = [...PEOPLE, 'anonymous', 'application'] as const
export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

export type PersonName = (typeof PEOPLE)[number]
export type Viewer = (typeof VIEWERS)[number]
export type Visibility = (typeof VISIBILITIES)[number]

/** The author's followers. The friend is mentioned too. */
export const FOLLOWERS: readonly Viewer[] = ['follower', 'friend']
/**
 * Mentioned by each status. The author has blocked `blocked`, and `blocking` has blocked the
 * author.
 */
export const MENTIONED: readonly Viewer[] = ['friend', 'mentioned', 'blocking']

export interface Cast extends Record<PersonName, Person> {
  readonly server: TestServer
  /** Followed by everybody, without blocks or mutes. */
  readonly helper: Person
  readonly viewers: Readonly<Record<Viewer, Client>>
  /** Lists of the followers, each with the author and the helper. */
  readonly lists: ReadonlyMap<Viewer, string>
}

async function makeList(owner: Person, members: Person[]): Promise<string> {
  const { json } = await owner.post('/api/v1/lists', { title: 'those' })
  const { id } = json as { id: string }
  const added = await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: members.map(member => member.id) })
  if (added.status !== 200) throw new Error(`list: ${added.status} ${added.text}`)
  return id
}

async function block(who: Person, whom: Person): Promise<void> {
  const { status, text } = await who.post(`/api/v1/accounts/${whom.id}/block`)
  if (status !== 200) throw new Error(`block: ${status} ${text}`)
}

/** Creates the cast on the server of the test's file. */
export async function createCast(t: Test): Promise<Cast> {
  const { server, anonymous, helper, ...named } = await people(t, ...PEOPLE, 'helper')
  const { author, follower, friend, blocked, blocking } = named
  for (const name of PEOPLE) await named[name].follow(helper)
  const lists = new Map<Viewer, string>()
  for (const [name, who] of [
    ['follower', follower],
    ['friend', friend],
  ] as const) {
    await who.follow(author)
    lists.set(name, await makeList(who, [author, helper]))
  }
  await block(author, blocked)
  await block(blocking, author)
  const application = new Client(server, await makeToken(server, null))
  return { ...named, server, helper, lists, viewers: { ...named, anonymous, application } }
}

/** The author replies to an own public status, mentioning three persons. */
export async function postReply(
  { author, friend, mentioned, blocking }: Cast,
  visibility: Visibility,
  root: string,
  tag: string,
): Promise<string> {
  const names = [friend, mentioned, blocking].map(({ username }) => `@${username}`).join(' ')
  const { id } = await author.postStatus(`${names} ${visibility} secretword #${tag}`, {
    visibility,
    in_reply_to_id: root,
  })
  return id
}
