import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { Json, rangeParameters, type Range } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { cardsOf } from '../../statuses/preview_cards/index.ts'
import { firstDay, makeHistory, type DayOfUse } from '../../timelines/tags/index.ts'

const linksQuery = query(
  'administration/trends/link_reviews',
  { ids: c.ids, first: c.date },
  { id: c.id, requires_review: c.boolean, history: c.json<DayOfUse[]>() },
)
const statusesQuery = query(
  'administration/trends/status_reviews',
  { ids: c.ids },
  { id: c.id, requires_review: c.boolean },
)
const publisherColumns = {
  id: c.id,
  domain: c.text,
  trendable: c.nullable(c.boolean),
  reviewed_at: c.nullable(c.timestamp),
  requested_review_at: c.nullable(c.timestamp),
} as const
const publisherQuery = query('administration/trends/publisher', { id: c.id }, publisherColumns)
const publishersQuery = query(
  'administration/trends/publisher_page',
  { max_id: c.nullable(c.id), since_id: c.nullable(c.id), min_id: c.nullable(c.id), limit: c.integer },
  publisherColumns,
)

/** The host of links that have trended, with the moderators' decision. */
export type Publisher = Row<typeof publisherColumns>

export const findPublisher = (runner: Runner, id: Id): Promise<Publisher | undefined> =>
  runner.one(publisherQuery, { id })

/** A page of the publishers, newest first. */
export const findPublishers = (runner: Runner, range: Range): Promise<Publisher[]> =>
  runner.run(publishersQuery, rangeParameters(range))

/** Adds members to the JSON of an entity. */
const extendEntity = (entity: string, members: string): Json => new Json(`${entity.slice(0, -1)},${members}}`)

/** The entity Admin::Trends::Publisher; its id is a number. */
export const renderPublisher = ({ id, ...rest }: Publisher): Json =>
  extendEntity(JSON.stringify(rest), `"requires_review":${rest.reviewed_at === null},"id":${id}`)

/** The entities Admin::Trends::Link by id; their ids are numbers. */
export async function renderLinks(services: Services, viewer: Viewer, ids: readonly Id[]): Promise<Map<Id, Json>> {
  const nowMs = Date.now()
  const [rows, cards] = await Promise.all([
    services.database.run(linksQuery, { ids: [...ids], first: firstDay(nowMs) }),
    cardsOf(services, viewer, ids),
  ])
  return new Map(
    rows.flatMap(({ id, requires_review: requiresReview, history }) => {
      const card = cards.get(id)
      if (!card) return []
      const days = JSON.stringify(makeHistory(history, nowMs))
      return [
        [id, extendEntity(card.text(), `"history":${days},"id":${id},"requires_review":${requiresReview}`)] as const,
      ]
    }),
  )
}

/**
 * The entities Admin::Trends::Status of public statuses, by id, including those of authors whom the
 * viewer blocks or mutes.
 */
export async function renderTrendingStatuses(
  services: Services,
  viewer: Viewer,
  ids: readonly Id[],
): Promise<Map<Id, Json>> {
  const rows = await services.database.run(statusesQuery, { ids: [...ids] })
  const entities = await renderStatuses(
    services,
    viewer,
    rows.map(({ id }) => id),
    { unseen: true, unfiltered: true },
  )
  return new Map(
    rows.flatMap(({ id, requires_review: requiresReview }) => {
      const entity = entities.get(id)
      return entity ? [[id, extendEntity(entity.text, `"requires_review":${requiresReview}`)] as const] : []
    }),
  )
}
