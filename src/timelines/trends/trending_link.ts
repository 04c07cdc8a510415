import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { normaliseUrl } from '../../statuses/preview_cards/index.ts'
import type { Services } from '../../platform/services.ts'
import { MIN_RISE } from './scoring.ts'

const find = query(
  'timelines/trends/trending_link',
  { url: c.text, undecided: c.boolean, least_score: c.float },
  { id: c.id },
)

/**
 * The preview card of the link with this URL; undefined unless it trends and moderators (or the
 * setting) allow it.
 */
export async function findTrendingLink({ database, settings }: Services, url: string): Promise<Id | undefined> {
  const undecided = settings.get('trendable_by_default')
  const row = await database.one(find, { url: normaliseUrl(url) ?? '', undecided, least_score: MIN_RISE })
  return row?.id
}
