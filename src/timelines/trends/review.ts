import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'

const decision = { moderator: c.nullable(c.id), id: c.id, trendable: c.boolean, is_logged: c.boolean } as const
const decided = { id: c.id, recorded: c.bigint, events: c.events } as const

/**
 * The statements of moderators' decisions. An undecided item follows its parent: a link its
 * publisher, a status its author.
 */
const DECIDE = {
  tag: query('timelines/trends/decide_tag', decision, decided),
  link: query('timelines/trends/decide_link', decision, decided),
  publisher: query('timelines/trends/decide_publisher', decision, decided),
  status: query('timelines/trends/decide_status', decision, decided),
  account: query('timelines/trends/decide_account', decision, decided),
} as const

export type ReviewedKind = keyof typeof DECIDE

/** Who decides. */
export interface Reviewer {
  /** Null: the operator. */
  readonly moderator: Id | null
  /** Whether the audit log has an entry; by the contract it has none of decisions by the API. */
  readonly isLogged: boolean
}

/**
 * Allows or forbids something to trend. Takes effect with the next request, in every process.
 * @returns false when it does not exist
 */
export async function decide(
  { database }: Services,
  { moderator, isLogged }: Reviewer,
  what: ReviewedKind,
  id: Id,
  trendable: boolean,
): Promise<boolean> {
  return (await database.one(DECIDE[what], { moderator, id, trendable, is_logged: isLogged })) !== undefined
}
