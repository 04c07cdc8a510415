import { c, type Columns, type Row } from '../../platform/database/index.ts'
import type { EventOf } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { intern, internPiece } from '../../core/interner.ts'
import type { FeedFacts } from './rules.ts'

/**
 * What the rules need to know of a post, without the state of its author and of the status that it
 * boosts: those facts have the values of an author who is not limited and of an unknown status.
 */
export interface StoredPost {
  readonly author: Id
  readonly facts: FeedFacts
}

/** The columns of statements that read posts. */
export const POST_COLUMNS = {
  id: c.id,
  account_id: c.id,
  domain: c.nullable(c.text),
  visibility: c.visibility,
  language: c.nullable(c.text),
  reblog_of_id: c.nullable(c.id),
  in_reply_to_id: c.nullable(c.id),
  in_reply_to_account_id: c.nullable(c.id),
  parent_unknown: c.boolean,
  mentions: c.nullable(c.ids),
  silent_mentions: c.nullable(c.ids),
  tags: c.nullable(c.texts),
} as const satisfies Columns

const NONE: readonly never[] = []

export const postOfRow = ({ account_id, ...row }: Row<typeof POST_COLUMNS>): StoredPost => ({
  author: intern(account_id),
  facts: toFacts({
    ...row,
    mentions: row.mentions ?? NONE,
    silent_mentions: row.silent_mentions ?? NONE,
    tags: row.tags ?? NONE,
  }),
})

/** Lists of words, as in `timelines/feeds/recent`. */
export const RECENT_COLUMNS = {
  ids: c.nullable(c.text),
  accounts: c.nullable(c.text),
  kinds: c.nullable(c.text),
  others: c.nullable(c.json<OtherFacts[]>()),
} as const satisfies Columns

/** The facts of a post that is not plain. */
type OtherFacts = readonly [
  place: number,
  boosted: Id | null,
  parent: Id | null,
  parentAuthor: Id | null,
  parentUnknown: boolean,
  mentions: readonly Id[] | null,
  silentMentions: readonly Id[] | null,
  tags: readonly string[] | null,
]

/** Posts in the order of their ids. */
export interface StoredPosts {
  readonly ids: readonly Id[]
  readonly authors: readonly Id[]
  readonly facts: readonly FeedFacts[]
}

export function postsOfRecent({ ids, accounts, kinds, others }: Row<typeof RECENT_COLUMNS>): StoredPosts {
  const kindOf = wordsOf(kinds)
  const facts = kindOf.map(plainOfKind)
  for (const [place, boosted, parent, parentAuthor, parentUnknown, mentions, silentMentions, tags] of others ?? [])
    facts[place] = createFacts({
      ...plainOfKind(kindOf[place] ?? ''),
      reblog_of_id: boosted,
      in_reply_to_id: parent,
      in_reply_to_account_id: parentAuthor,
      parent_unknown: parentUnknown,
      mentions: mentions ?? NONE,
      silent_mentions: silentMentions ?? NONE,
      tags: tags ?? NONE,
    })
  return { ids: wordsOf(ids), authors: wordsOf(accounts).map(internPiece), facts }
}

const wordsOf = (list: string | null): readonly string[] => list?.split(' ') ?? []

export const postOfEvent = ({ actor_id, data }: EventOf<'status.created'>): StoredPost => ({
  author: intern(actor_id),
  facts: toFacts(data),
})

/**
 * The facts with those of the author and of the boosted status.
 * @param isOrphan whether the status that it answers was deleted
 */
export function completeFacts(
  facts: FeedFacts,
  original: StoredPost | undefined,
  silenced: boolean,
  isOrphan: boolean,
): FeedFacts {
  if (!original && !silenced && !isOrphan) return facts
  return {
    ...facts,
    silenced,
    reblog_account_id: original?.author ?? null,
    reblog_domain: original?.facts.domain ?? null,
    in_reply_to_id: isOrphan ? null : facts.in_reply_to_id,
    reblog_mentions: original?.facts.mentions ?? NONE,
  }
}

type OwnFacts = Omit<FeedFacts, 'silenced' | 'reblog_account_id' | 'reblog_domain' | 'reblog_mentions'>

/** Facts of posts that boost, answer, mention and tag nothing; so many are shared. */
const plain = new Map<string, FeedFacts>()
const MAX_PLAIN = 4096

const isPlain = (facts: OwnFacts): boolean =>
  facts.reblog_of_id === null &&
  facts.in_reply_to_id === null &&
  facts.in_reply_to_account_id === null &&
  facts.parent_unknown !== true &&
  facts.mentions.length === 0 &&
  facts.silent_mentions.length === 0 &&
  facts.tags.length === 0

const toFacts = (own: OwnFacts): FeedFacts =>
  isPlain(own) ? plainOfKind(`${own.visibility}/${own.language ?? ''}/${own.domain ?? ''}`) : createFacts(own)

/** @param kind visibility, language and domain; the last two may be empty */
function plainOfKind(kind: string): FeedFacts {
  const known = plain.get(kind)
  if (known) return known
  const [visibility = '', language, domain] = kind.split('/').map(internPiece)
  const facts = createFacts({
    visibility: parseVisibility(visibility),
    language: language || null,
    domain: domain || null,
    reblog_of_id: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    mentions: NONE,
    silent_mentions: NONE,
    tags: NONE,
  })
  if (plain.size >= MAX_PLAIN) plain.clear()
  plain.set(internPiece(kind), facts)
  return facts
}

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct', 'limited'] as const

/** An unknown one is shown to nobody. */
const parseVisibility = (text: string): FeedFacts['visibility'] =>
  VISIBILITIES.find(visibility => visibility === text) ?? 'limited'

const createFacts = (own: OwnFacts): FeedFacts => ({
  visibility: intern(own.visibility),
  domain: internOptional(own.domain),
  silenced: false,
  language: internOptional(own.language),
  reblog_of_id: own.reblog_of_id,
  reblog_account_id: null,
  reblog_domain: null,
  in_reply_to_id: own.in_reply_to_id,
  in_reply_to_account_id: internOptional(own.in_reply_to_account_id),
  parent_unknown: own.parent_unknown === true,
  mentions: internAll(own.mentions),
  silent_mentions: internAll(own.silent_mentions),
  tags: internAll(own.tags),
  reblog_mentions: NONE,
})

const internOptional = (text: string | null): string | null => (text === null ? null : intern(text))

const internAll = (texts: readonly string[]): readonly string[] => (texts.length === 0 ? NONE : texts.map(intern))

const FACTS_BYTES = 138
const ID_BYTES = 32
const ARRAY_BYTES = 32
/** Names and ids of accounts are mostly shared. */
const ITEM_BYTES = 24

/** The approximate memory of facts, of which shared ones take none. */
export function weighFacts(facts: FeedFacts): number {
  if (isPlain(facts)) return 0
  let bytes = FACTS_BYTES
  for (const id of [facts.reblog_of_id, facts.in_reply_to_id]) if (id !== null) bytes += ID_BYTES
  for (const { length } of [facts.mentions, facts.silent_mentions, facts.tags])
    if (length > 0) bytes += ARRAY_BYTES + length * ITEM_BYTES
  return bytes
}
