import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { cardsOf } from '../../statuses/preview_cards/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { firstDay, makeHistory, renderTags, type DayOfUse } from '../tags/index.ts'
import { MIN_RISE } from './scoring.ts'

const part = { languages: c.texts, undecided: c.boolean, limit: c.integer, offset: c.integer } as const
const findTags = query('timelines/trends/tags', { ...part, least_score: c.float }, { name: c.text })
const findLinks = query(
  'timelines/trends/links',
  { ...part, least_score: c.float, first: c.date },
  { id: c.id, history: c.json<DayOfUse[]>() },
)
const findStatuses = query('timelines/trends/statuses', { ...part, viewer: c.nullable(c.id) }, { id: c.id })

/** For whom it is. */
type Reader = Services & { readonly viewer: Viewer | null }

/** Which part of a list of trends is wanted. */
export interface Part {
  /** Of what comes first. */
  readonly languages: string[]
  /** Whether what no moderator has decided on is shown. */
  readonly undecided: boolean
  readonly limit: number
  readonly offset: number
}

/** What a part consists of, and the entities of those that are still there. */
export interface Found {
  readonly keys: readonly string[]
  readonly entities: ReadonlyMap<string, Json>
}

/** Hashtags that are used more than usual, by their identities. */
export async function findTrendingTags(context: Reader, wanted: Part): Promise<Found> {
  const rows = await context.database.run(findTags, { ...wanted, least_score: MIN_RISE })
  const keys = rows.map(({ name }) => name)
  return { keys, entities: await renderTags(context, context.viewer, keys) }
}

/** Statuses that are favourited and boosted more than usual. */
export async function findTrendingStatuses(context: Reader, wanted: Part): Promise<Found> {
  const { database, viewer } = context
  const keys = (await database.run(findStatuses, { ...wanted, viewer: viewer?.id ?? null })).map(({ id }) => id)
  return { keys, entities: await renderStatuses(context, viewer, keys) }
}

/** The entities Trends::Link: previews with their history. */
export async function findTrendingLinks(context: Reader, wanted: Part): Promise<Found> {
  const nowMs = Date.now()
  const rows = await context.database.run(findLinks, { ...wanted, least_score: MIN_RISE, first: firstDay(nowMs) })
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
