import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { cardsOf } from '../../statuses/preview_cards/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { firstDay, makeHistory, renderTags, type DayOfUse } from '../tags/index.ts'
import { MIN_RISE } from './scoring.ts'

const partParams = { languages: c.texts, undecided: c.boolean, limit: c.integer, offset: c.integer } as const
const findTags = query('timelines/trends/tags', { ...partParams, least_score: c.float }, { name: c.text })
const findLinks = query(
  'timelines/trends/links',
  { ...partParams, least_score: c.float, first: c.date },
  { id: c.id, history: c.json<DayOfUse[]>() },
)
const findStatuses = query('timelines/trends/statuses', { ...partParams, viewer: c.nullable(c.id) }, { id: c.id })

/** The services, and the viewer of the trends. */
type Reader = Services & { readonly viewer: Viewer | null }

/** The requested part of a list of trends. */
export interface Part {
  /** The languages that come first. */
  readonly languages: string[]
  /** Whether to include items that no moderator has reviewed. */
  readonly undecided: boolean
  readonly limit: number
  readonly offset: number
}

/** The keys of a part in order, and the entities of those that still exist. */
export interface Found {
  readonly keys: readonly string[]
  readonly entities: ReadonlyMap<string, Json>
}

/** Hashtags that are used more than usual, by their identities. */
export async function findTrendingTags(context: Reader, part: Part): Promise<Found> {
  const rows = await context.database.run(findTags, { ...part, least_score: MIN_RISE })
  const keys = rows.map(({ name }) => name)
  return { keys, entities: await renderTags(context, context.viewer, keys) }
}

/** Statuses that are favourited and boosted more than usual. */
export async function findTrendingStatuses(context: Reader, part: Part): Promise<Found> {
  const { database, viewer } = context
  const keys = (await database.run(findStatuses, { ...part, viewer: viewer?.id ?? null })).map(({ id }) => id)
  return { keys, entities: await renderStatuses(context, viewer, keys) }
}

/** The entities Trends::Link: preview cards with their history. */
export async function findTrendingLinks(context: Reader, part: Part): Promise<Found> {
  const nowMs = Date.now()
  const rows = await context.database.run(findLinks, { ...part, least_score: MIN_RISE, first: firstDay(nowMs) })
  const keys = rows.map(({ id }) => id)
  const cards = await cardsOf(context, context.viewer, keys)
  const entities = rows.flatMap(({ id, history }) => {
    const card = cards.get(id)
    if (!card) return []
    const text = `${card.text().slice(0, -1)},"history":${JSON.stringify(makeHistory(history, nowMs))}}`
    return [[id, new Json(text)] as const]
  })
  return { keys, entities: new Map(entities) }
}
