import type { Id } from '../../core/id.ts'

/** How somebody is followed. */
export interface FollowOptions {
  /** Whether boosts are wanted. */
  readonly reblogs: boolean
  readonly notify: boolean
  /** Null: posts in all languages. */
  readonly languages: readonly string[] | null
}

/** Whose answers a list takes beside those to its owner: to whom the owner follows, to its members, to nobody. */
export type RepliesPolicy = 'followed' | 'list' | 'none'

export interface ListRelations {
  readonly id: Id
  readonly repliesPolicy: RepliesPolicy
  /** Whether posts of its members are kept out of home. */
  readonly exclusive: boolean
  /** Those who count: followed, or the owner. */
  readonly members: ReadonlySet<Id>
}

/** How one account stands to others: what rules of feeds and streams decide by. Never changed; a change makes a new one. */
export interface Relations {
  readonly owner: Id
  readonly follows: ReadonlyMap<Id, FollowOptions>
  /** Followed tags by their identity. */
  readonly tags: ReadonlyMap<string, Id>
  readonly blocks: ReadonlySet<Id>
  readonly blockedBy: ReadonlySet<Id>
  /** The time in milliseconds at which each mute ends; Infinity for those that do not. Ask `shuns`. */
  readonly mutes: ReadonlyMap<Id, number>
  /** Domains that the account blocks. */
  readonly domains: ReadonlySet<string>
  readonly lists: ReadonlyMap<Id, ListRelations>
  /** Members of exclusive lists. */
  readonly exclusive: ReadonlySet<Id>
  /** The preference to show a status once when several boost it. */
  readonly groupsBoosts: boolean
}

/** A place in a set or map, and the id there. */
const MEMBER_BYTES = 80

/** What relations take in memory, about: with 300 follows, 25 kB. */
export function weighRelations({
  follows,
  tags,
  blocks,
  blockedBy,
  mutes,
  domains,
  lists,
  exclusive,
}: Relations): number {
  let members = exclusive.size
  for (const group of [follows, tags, blocks, blockedBy, mutes, domains, lists]) members += group.size
  for (const list of lists.values()) members += list.members.size
  return members * MEMBER_BYTES
}

/** Whether the owner blocks this account, or mutes it at that time. */
export function blocksOrMutes(relations: Relations, account: Id, now: number): boolean {
  if (relations.blocks.has(account)) return true
  const until = relations.mutes.get(account)
  return until !== undefined && until > now
}
