import type { Id } from '../../core/id.ts'

/** The options of a follow. */
export interface FollowOptions {
  /** Whether boosts are shown. */
  readonly reblogs: boolean
  readonly notify: boolean
  /** Null: posts in all languages. */
  readonly languages: readonly string[] | null
}

/**
 * The replies that a list shows in addition to those to its owner: to accounts that the owner
 * follows, to its members, or none.
 */
export type RepliesPolicy = 'followed' | 'list' | 'none'

export interface ListRelations {
  readonly id: Id
  readonly repliesPolicy: RepliesPolicy
  /** Whether posts of its members are hidden from home. */
  readonly exclusive: boolean
  /** The members that the owner follows, or the owner. */
  readonly members: ReadonlySet<Id>
}

/**
 * The relationships of an account, by which feeds and streams are filtered. Immutable; a change
 * creates a new object.
 */
export interface Relations {
  readonly owner: Id
  readonly follows: ReadonlyMap<Id, FollowOptions>
  /** When each of `follows` was followed, in their order; see `followTimesOf`. */
  readonly followTimes: Buffer
  /** Followed hashtags by the hashtag's id. */
  readonly tags: ReadonlyMap<string, Id>
  /** When each of `tags` was followed, in milliseconds. */
  readonly tagsFollowedMs: ReadonlyMap<string, number>
  readonly blocks: ReadonlySet<Id>
  readonly blockedBy: ReadonlySet<Id>
  /** When each mute expires, in milliseconds; Infinity if never. Use `blocksOrMutes`. */
  readonly mutes: ReadonlyMap<Id, number>
  /** Domains that the account blocks. */
  readonly domains: ReadonlySet<string>
  readonly lists: ReadonlyMap<Id, ListRelations>
  /** Members of exclusive lists. */
  readonly exclusive: ReadonlySet<Id>
  /** The preference to show a status once when several accounts boost it. */
  readonly groupsBoosts: boolean
  /** When the account last followed an account or hashtag that it follows; 0 if none. */
  readonly newestFollowMs: number
}

/** An entry of a set or map, with its id. */
const MEMBER_BYTES = 80
const TIME_BYTES = 8
/** Of a Buffer in memory of its own, without its bytes. */
const BUFFER_BYTES = 300

/** The approximate memory use: with 300 follows, 26 kB. */
export function weighRelations({
  follows,
  followTimes,
  tags,
  tagsFollowedMs,
  blocks,
  blockedBy,
  mutes,
  domains,
  lists,
  exclusive,
}: Relations): number {
  let members = exclusive.size + tagsFollowedMs.size
  for (const group of [follows, tags, blocks, blockedBy, mutes, domains, lists]) members += group.size
  for (const list of lists.values()) members += list.members.size
  return members * MEMBER_BYTES + BUFFER_BYTES + followTimes.length
}

/** Whether the owner blocks this account, or mutes it at that time. */
export function blocksOrMutes(relations: Relations, account: Id, now: number): boolean {
  if (relations.blocks.has(account)) return true
  const until = relations.mutes.get(account)
  return until !== undefined && until > now
}

/** PostgreSQL's binary timestamps count microseconds from here. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)

const readTimestamp = (bytes: Buffer, at: number): number =>
  POSTGRES_EPOCH_MS + Math.round((bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)) / 1000)

/** When the owner followed each of these accounts that they follow, in milliseconds. */
export function followTimesOf({ follows, followTimes }: Relations, accounts: ReadonlySet<Id>): ReadonlyMap<Id, number> {
  const found = new Map<Id, number>()
  if (accounts.size === 0) return found
  let at = 0
  for (const account of follows.keys()) {
    if (accounts.has(account)) found.set(account, readTimestamp(followTimes, at))
    at += TIME_BYTES
  }
  return found
}
