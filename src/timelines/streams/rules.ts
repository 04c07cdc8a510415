import type { CompiledFilters } from '../../statuses/filters/index.ts'
import type { Id } from '../../core/id.ts'
import { blocksOrMutes, type Relations } from '../../accounts/relationships/index.ts'
import type { StatusFacts } from '../../statuses/index.ts'

/** A person who reads public streams, as of the last event that was sent. */
export interface Person {
  /** Languages that the person chose; null: all. */
  chosenLanguages: readonly string[] | null
  relations: Relations
  filters: CompiledFilters
}

/** By what a reader of a public stream is sent a status, or not. */
export interface PublicRules {
  /** Shared by all that the person reads. */
  readonly person: Person
  /** Whether the settings let the reader see statuses of this server, of others. Read when the subscription began. */
  readonly local: boolean
  readonly remote: boolean
}

/** What the rules look at, of a status. */
export type PublicFacts = Pick<StatusFacts, 'local' | 'domain' | 'language' | 'mentions'>

/** Whether a reader of a public or hashtag stream gets a status (api/streaming.md, section 6). Pure. @param now in milliseconds */
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
