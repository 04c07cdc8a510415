import { c, query } from '../database/index.ts'
import { Json, list, offsetPage, operation, param, type Answer, type Context } from '../http/index.ts'
import { cardsOf } from '../preview_cards/index.ts'
import { renderStatuses } from '../statuses/index.ts'
import { firstDay, makeHistory, renderTags, type DayOfUse } from '../tags/index.ts'
import { preferredLanguages } from './preferred_languages.ts'
import { LEAST_RISE } from './scoring.ts'

const part = { languages: c.texts, undecided: c.boolean, limit: c.integer, offset: c.integer } as const
const findTags = query('trends/tags', { ...part, least_score: c.float }, { name: c.text })
const findLinks = query(
  'trends/links',
  { ...part, least_score: c.float, first: c.date },
  { id: c.id, history: c.json<DayOfUse[]>() },
)
const findStatuses = query('trends/statuses', { ...part, viewer: c.nullable(c.id) }, { id: c.id })

type Reader = Context<'optional'>

/** Which part of a list of trends is asked for. */
interface Asked {
  readonly limit: number
  readonly offset: number
  readonly lang?: string | undefined
}

/** The same as the statements take it. */
interface Part {
  readonly languages: string[]
  /** Whether what no moderator has decided on is shown. */
  readonly undecided: boolean
  readonly limit: number
  readonly offset: number
}

/** What a part consists of, and the entities of those that are still there. */
interface Found {
  readonly keys: readonly string[]
  readonly entities: ReadonlyMap<string, Json>
}

/** @param path that the links lead to */
async function showPart(
  context: Reader,
  asked: Asked,
  path: string,
  find: (wanted: Part) => Promise<Found>,
): Promise<Answer | Json> {
  const { settings, request } = context
  if (!settings.get('trends')) return list([])
  const { limit, offset } = asked
  const undecided = settings.get('trendable_by_default')
  const { keys, entities } = await find({
    languages: preferredLanguages(context, asked.lang),
    undecided,
    limit,
    offset,
  })
  const items = list(keys.flatMap(key => entities.get(key) ?? []))
  // The list before the second page has no link of its own (api/endpoints/trends.json).
  const options = { keep: ['lang'], prevFrom: limit + 1 }
  return offsetPage(items, keys.length === limit, { ...request, path }, { limit, offset }, options)
}

async function findTrendingTags(context: Reader, wanted: Part): Promise<Found> {
  const rows = await context.database.run(findTags, { ...wanted, least_score: LEAST_RISE })
  const keys = rows.map(({ name }) => name)
  return { keys, entities: await renderTags(context, context.viewer, keys) }
}

async function findTrendingStatuses(context: Reader, wanted: Part): Promise<Found> {
  const { database, viewer } = context
  const keys = (await database.run(findStatuses, { ...wanted, viewer: viewer?.id ?? null })).map(({ id }) => id)
  return { keys, entities: await renderStatuses(context, viewer, keys) }
}

/** The entities Trends::Link: previews with their history. */
async function findTrendingLinks(context: Reader, wanted: Part): Promise<Found> {
  const nowMs = Date.now()
  const rows = await context.database.run(findLinks, { ...wanted, least_score: LEAST_RISE, first: firstDay(nowMs) })
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

const cuts = (usual: number) =>
  ({
    limit: param.limit(usual),
    offset: param.integer({ default: 0, min: 0 }),
    lang: param.string({ optional: true, description: 'the language whose trends come first' }),
  }) as const

const common = { method: 'GET', auth: 'optional', scopes: [], cache: 'public', byLanguage: true } as const

const TAGS_PATH = '/api/v1/trends/tags'
const tags = {
  ...common,
  params: cuts(10),
  returns: '[Tag]',
  // Their histories count every status.
  changesWith: () => ['status.created', 'status.updated', 'status.deleted'],
  handle: (asked: Asked, context: Reader) =>
    showPart(context, asked, TAGS_PATH, wanted => findTrendingTags(context, wanted)),
} as const

const showTags = operation({
  ...tags,
  path: TAGS_PATH,
  summary: 'List hashtags that are used more than usual',
})

const showTagsV1 = operation({
  ...tags,
  path: '/api/v1/trends',
  summary: 'List hashtags that are used more than usual, as older clients ask',
  headers: { Deprecation: '@1648598400' },
})

const showStatuses = operation({
  ...common,
  path: '/api/v1/trends/statuses',
  summary: 'List statuses that are boosted and favourited more than usual',
  params: cuts(20),
  returns: '[Status]',
  changesWith: () => [],
  handle: (asked, context) =>
    showPart(context, asked, context.request.path, wanted => findTrendingStatuses(context, wanted)),
})

const showLinks = operation({
  ...common,
  path: '/api/v1/trends/links',
  summary: 'List links that are shared more than usual',
  params: cuts(10),
  returns: '[Trends::Link]',
  changesWith: () => [],
  handle: (asked, context) =>
    showPart(context, asked, context.request.path, wanted => findTrendingLinks(context, wanted)),
})

export const operations = [showTags, showTagsV1, showStatuses, showLinks]
