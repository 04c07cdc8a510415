import type { CompiledFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import { blocksOrMutes, type Relations } from '../../accounts/relationships/index.ts'
import type { StatusFacts } from '../../statuses/index.ts'

/** A reader of public streams, as of the last event that was sent. */
export interface Person {
  /** The languages that the user chose; null for all. */
  chosenLanguages: readonly string[] | null
  /** Whether the user can use the server: is confirmed, approved and not disabled. */
  isFunctional: boolean
  /** Whether the role lets the user see feeds that the settings disable. */
  viewsFeeds: boolean
  relations: Relations
  filters: CompiledFilters
}

/** Decides which statuses a reader of a public stream receives. */
export interface PublicRules {
  /** Shared by all streams of the person. */
  readonly person: Person
  /** Whether settings and role let the reader see statuses of this server, and of others, now. */
  readonly local: boolean
  readonly remote: boolean
}

/** The facts of a status that the rules use. */
export type PublicFacts = Pick<StatusFacts, 'local' | 'domain' | 'language' | 'mentions'>

/**
 * Whether a reader of a public or hashtag stream receives a status. Pure.
 * @param now in milliseconds
 */
export function admitPublic(author: Id, facts: PublicFacts, rules: PublicRules, now: number): boolean {
  const { chosenLanguages, relations } = rules.person
  if (!(facts.local ? rules.local : rules.remote)) return false
  if (chosenLanguages && (facts.language === null || !chosenLanguages.includes(facts.language))) return false
  if (relations.blockedBy.has(author)) return false
  if (relations.blocks.size > 0 || relations.mutes.size > 0) {
    if (blocksOrMutes(relations, author, now) || facts.mentions.some(account => blocksOrMutes(relations, account, now)))
      return false
  }
  return facts.domain === null || !relations.domains.has(facts.domain)
}
