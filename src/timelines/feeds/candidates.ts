import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Post } from './rules.ts'

const candidates = query(
  'timelines/feeds/candidates',
  { viewer: c.id, accounts: c.ids, tags: c.ids, limit_each: c.integer, limit: c.integer },
  {
    id: c.id,
    account_id: c.id,
    domain: c.nullable(c.text),
    silenced: c.boolean,
    visibility: c.visibility,
    language: c.nullable(c.text),
    reblog_of_id: c.nullable(c.id),
    reblog_account_id: c.nullable(c.id),
    reblog_domain: c.nullable(c.text),
    in_reply_to_id: c.nullable(c.id),
    in_reply_to_account_id: c.nullable(c.id),
    mentions: c.ids,
    silent_mentions: c.ids,
    reblog_mentions: c.ids,
    tags: c.texts,
    arrived: c.nullable(c.id),
  },
)

/** The most statuses of one account that are merged into a feed. */
const EACH = 200
/**
 * Twice what a feed shows, because the rules exclude some. The query takes 20 ms with 300 accounts,
 * 50 ms with 5000 (200,000 statuses).
 */
const MAX_COUNT = 1600

/** The sources of a feed's statuses. */
export interface Sources {
  readonly accounts: Iterable<Id>
  /** Ids of tags. */
  readonly tags: Iterable<Id>
}

/** A status that may enter a feed. */
export interface Candidate extends Post {
  /**
   * An id made when the author or hashtag that brings the status was followed, if that was after
   * the status was posted.
   */
  readonly arrived: Id | null
}

/** The statuses that may enter a feed of the viewer, before its rules apply; oldest first. */
export async function readCandidates(database: Database, viewer: Id, sources: Sources): Promise<Candidate[]> {
  const parameters = {
    viewer,
    accounts: [...sources.accounts],
    tags: [...sources.tags],
    limit_each: EACH,
    limit: MAX_COUNT,
  }
  const rows = await database.run(candidates, parameters)
  const once = new Set<Id>()
  const several = new Set<Id>()
  for (const { id, reblog_of_id: boosted } of rows) {
    const status = boosted ?? id
    if (once.has(status)) several.add(status)
    else once.add(status)
  }
  return rows.map(({ id, account_id: author, arrived, ...facts }) => ({
    id,
    author,
    facts,
    arrived: several.has(facts.reblog_of_id ?? id) ? arrived : null,
  }))
}
