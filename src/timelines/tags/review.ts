import { ApiError, validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { isValidTag, normaliseTag } from '../../core/text/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { Json, rangeParameters, type Range } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderTags } from './render.ts'

const columns = {
  id: c.id,
  name: c.text,
  display_name: c.text,
  usable: c.boolean,
  trendable: c.nullable(c.boolean),
  listable: c.boolean,
  reviewed: c.boolean,
} as const
const findSome = query('timelines/tags/reviews', { ids: c.ids }, columns)
const findPage = query(
  'timelines/tags/review_page',
  { max_id: c.nullable(c.id), since_id: c.nullable(c.id), min_id: c.nullable(c.id), limit: c.integer },
  columns,
)
const change = query(
  'timelines/tags/change',
  {
    moderator: c.nullable(c.id),
    tag: c.id,
    display_name: c.nullable(c.text),
    usable: c.nullable(c.boolean),
    trendable: c.nullable(c.boolean),
    listable: c.nullable(c.boolean),
    is_logged: c.boolean,
  },
  { id: c.id, recorded: c.bigint, events: c.events },
)

/** A hashtag with what moderators have decided about it. */
export type ReviewedTag = Row<typeof columns>

export const findReviewedTag = async (runner: Runner, id: Id): Promise<ReviewedTag | undefined> =>
  (await runner.run(findSome, { ids: [id] }))[0]

/** Hashtags by their ids, in the order of the ids. */
export async function reviewedTags(runner: Runner, ids: readonly Id[]): Promise<ReviewedTag[]> {
  const found = new Map((await runner.run(findSome, { ids: [...ids] })).map(tag => [tag.id, tag]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** A page of all hashtags, newest first. */
export const findReviewedTags = (runner: Runner, range: Range): Promise<ReviewedTag[]> =>
  runner.run(findPage, rangeParameters(range))

/** Who reviews. */
export interface TagReviewer {
  /** Null: the operator. */
  readonly moderator: Id | null
  /** Whether the audit log has an entry; by the contract it has none of reviews by the API. */
  readonly isLogged: boolean
}

/** Members that are undefined stay unchanged. */
export interface TagReview {
  /** The same name in another spelling. */
  readonly display_name?: string | undefined
  /** Whether local posts may have it. */
  readonly usable?: boolean | undefined
  readonly trendable?: boolean | undefined
  /** Whether search and suggestions show it. */
  readonly listable?: boolean | undefined
}

/**
 * Stores a moderator's review of a hashtag; it counts as reviewed even if nothing changes.
 * @throws ApiError validation if the new spelling is one of another hashtag
 */
export async function reviewTag(
  runner: Runner,
  { moderator, isLogged }: TagReviewer,
  tag: ReviewedTag,
  review: TagReview,
): Promise<ReviewedTag> {
  const { display_name = null, usable = null, trendable = null, listable = null } = review
  if (display_name !== null && (!isValidTag(display_name) || normaliseTag(display_name) !== tag.name))
    throw validationError('Display name does not match the previous name')
  const stored = { tag: tag.id, display_name, usable, trendable, listable }
  const changed = await runner.one(change, { moderator, is_logged: isLogged, ...stored })
  const found = changed && (await findReviewedTag(runner, changed.id))
  if (!found) throw new ApiError('notFound')
  return found
}

/** The entities Admin::Tag, in the order of the hashtags. */
export async function renderReviewedTags(
  services: Services,
  viewer: Viewer,
  tags: readonly ReviewedTag[],
): Promise<Json[]> {
  const entities = await renderTags(
    services,
    viewer,
    tags.map(({ name }) => name),
  )
  const byDefault = services.settings.get('trendable_by_default')
  return tags.flatMap(({ name, trendable, usable, reviewed, listable }) => {
    const entity = entities.get(name)
    if (!entity) return []
    const decisions = { trendable: trendable ?? byDefault, usable, requires_review: !reviewed, listable }
    return [new Json(`${entity.text.slice(0, -1)},${JSON.stringify(decisions).slice(1)}`)]
  })
}
