import type { Id } from '../../core/id.ts'
import {
  blocksOrMutes,
  type FollowOptions,
  type ListRelations,
  type Relations,
} from '../../accounts/relationships/index.ts'
import type { StatusFacts } from '../../statuses/index.ts'

/** The facts of a status or boost that the rules use. */
export type FeedFacts = Omit<StatusFacts, 'local' | 'conversation_id' | 'has_media'>

/** A status or boost that may enter a feed. */
export interface Post {
  readonly id: Id
  readonly author: Id
  readonly facts: FeedFacts
  /** The ids as numbers, by which feeds sort: its own, and that of the status that it shows. */
  readonly number: bigint
  readonly shows: bigint
}

/** A post whose numbers are made once, for all feeds that may take it. */
export function createPost(id: Id, author: Id, facts: FeedFacts): Post {
  const number = BigInt(id)
  return { id, author, facts, number, shows: facts.reblog_of_id === null ? number : BigInt(facts.reblog_of_id) }
}

/**
 * Why a status is in a home feed: its author is the owner or is followed, or it has a followed tag.
 */
export type Reason = 'own' | 'follow' | 'tag'

/**
 * Whether the home feed of the owner of `relations` takes a post, and why. Duplicate boosts are
 * hidden by `Entries`.
 * @param now in milliseconds, for mutes that end
 */
export function admitHome(post: Post, relations: Relations, now: number): Reason | undefined {
  if (post.author === relations.owner) return 'own'
  const follow = relations.follows.get(post.author)
  if (follow && takesFollowed(post, follow, relations, now)) return 'follow'
  return takesTagged(post, relations, now) ? 'tag' : undefined
}

/**
 * Whether the owner of `relations` may see a post of an author who is not hidden from everybody:
 * the conditions of `visible_statuses` in SQL.
 */
export function mayBeSeen({ author, facts }: Post, { owner, follows, blockedBy }: Relations): boolean {
  if (author === owner) return true
  const { visibility } = facts
  if (visibility === 'public' || visibility === 'unlisted') return !blockedBy.has(author)
  if (mentionsAccount(facts, owner)) return true
  return visibility === 'private' && follows.has(author)
}

/** Whether a list of the owner of `relations` takes a post. */
export function admitList(post: Post, list: ListRelations, relations: Relations, now: number): boolean {
  const { author, facts } = post
  if (!list.members.has(author) || isNonPublic(facts)) return false
  const follow = relations.follows.get(author)
  return (
    !isReplyToNothing(facts) &&
    !isInOtherLanguage(facts, follow) &&
    !isBoostOfNothing(facts) &&
    !concernsBlockOrMute(post, relations, now) &&
    !relations.blockedBy.has(author) &&
    (!isReply(facts) || listTakesReply(post, list, relations)) &&
    !isUnwantedBoost(facts, follow, relations)
  )
}

/** For a post whose author the owner follows. */
function takesFollowed(post: Post, follow: FollowOptions, relations: Relations, now: number): boolean {
  const { author, facts } = post
  if (isNonPublic(facts) && !mentionsAccount(facts, relations.owner)) return false
  return (
    !isReplyToNothing(facts) &&
    !relations.exclusive.has(author) &&
    !isInOtherLanguage(facts, follow) &&
    !isBoostOfNothing(facts) &&
    !concernsBlockOrMute(post, relations, now) &&
    !relations.blockedBy.has(author) &&
    (!isReply(facts) || homeTakesReply(post, relations)) &&
    !isUnwantedBoost(facts, follow, relations)
  )
}

function takesTagged(post: Post, relations: Relations, now: number): boolean {
  const { author, facts } = post
  return (
    relations.tags.size > 0 &&
    facts.visibility === 'public' &&
    facts.reblog_of_id === null &&
    !facts.silenced &&
    facts.tags.some(tag => relations.tags.has(tag)) &&
    !concernsBlockOrMute(post, relations, now) &&
    !relations.blockedBy.has(author) &&
    !blocksDomain(relations, facts.domain)
  )
}

/** Whether only the author's feeds and those of mentioned accounts take it. */
export const isNonPublic = (facts: FeedFacts): boolean =>
  facts.visibility === 'direct' || facts.visibility === 'limited'

const mentionsAccount = (facts: FeedFacts, account: Id): boolean =>
  facts.mentions.includes(account) || facts.silent_mentions.includes(account)

const isReply = (facts: FeedFacts): boolean =>
  facts.in_reply_to_id !== null || facts.in_reply_to_account_id !== null || facts.parent_unknown === true

/** The parent is unknown or deleted. */
const isReplyToNothing = (facts: FeedFacts): boolean => isReply(facts) && facts.in_reply_to_id === null

/** Boosts have no language. */
const isInOtherLanguage = (facts: FeedFacts, follow: FollowOptions | undefined): boolean =>
  facts.reblog_of_id === null && facts.language !== null && follow?.languages?.includes(facts.language) === false

/** The boosted status is unknown or deleted. */
const isBoostOfNothing = (facts: FeedFacts): boolean => facts.reblog_of_id !== null && facts.reblog_account_id === null

/**
 * Whether the author, the boosted author or a mentioned account is blocked or muted by the owner.
 */
function concernsBlockOrMute({ author, facts }: Post, relations: Relations, now: number): boolean {
  if (relations.blocks.size === 0 && relations.mutes.size === 0) return false
  const isExcluded = (account: Id): boolean => blocksOrMutes(relations, account, now)
  return (
    isExcluded(author) ||
    facts.mentions.some(isExcluded) ||
    (facts.reblog_account_id !== null && isExcluded(facts.reblog_account_id)) ||
    facts.reblog_mentions.some(isExcluded)
  )
}

/**
 * Replies enter home only when they answer the author's own, the owner's or a followed account's
 * status.
 */
function homeTakesReply({ author, facts }: Post, { owner, follows }: Relations): boolean {
  const answered = facts.in_reply_to_account_id
  return answered !== null && (answered === author || answered === owner || follows.has(answered))
}

function listTakesReply({ author, facts }: Post, list: ListRelations, { owner, follows }: Relations): boolean {
  const answered = facts.in_reply_to_account_id
  if (answered === null) return false
  if (answered === author || answered === owner) return true
  if (list.repliesPolicy === 'followed') return follows.has(answered)
  return list.repliesPolicy === 'list' && list.members.has(answered)
}

/** The owner's own boosts appear in a list that the owner is a member of. */
function isUnwantedBoost(facts: FeedFacts, follow: FollowOptions | undefined, relations: Relations): boolean {
  if (facts.reblog_of_id === null || facts.reblog_account_id === null) return false
  return (
    follow?.reblogs === false ||
    relations.blockedBy.has(facts.reblog_account_id) ||
    blocksDomain(relations, facts.reblog_domain)
  )
}

const blocksDomain = (relations: Relations, domain: string | null): boolean =>
  domain !== null && relations.domains.has(domain)
