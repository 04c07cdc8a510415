import {
  list,
  offsetPage,
  operation,
  param,
  type Response,
  type Context,
  type Json,
} from '../../platform/http/index.ts'
import { findTrendingLinks, findTrendingStatuses, findTrendingTags, type Found, type Part } from './find.ts'
import { preferredLanguages } from './preferred_languages.ts'

type Reader = Context<'optional'>

/** The parameters of a list of trends. */
interface Asked {
  readonly limit: number
  readonly offset: number
  readonly lang?: string | undefined
}

/** @param path the path in the links */
async function showPart(
  context: Reader,
  asked: Asked,
  path: string,
  find: (part: Part) => Promise<Found>,
): Promise<Response | Json> {
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
  // The second page has no link to the first one.
  const options = { keep: ['lang'], prevFrom: limit + 1 }
  return offsetPage(items, keys.length === limit, { ...request, path }, { limit, offset }, options)
}

const cuts = (usual: number) =>
  ({
    limit: param.limit(usual),
    offset: param.integer({ default: 0, min: 0 }),
    lang: param.string({ optional: true, description: 'the language whose trends come first' }),
  }) as const

const common = { method: 'GET', auth: 'optional', scopes: [], cache: 'public', varyByLanguage: true } as const

/** Raised when scores were computed, or a moderator decided. */
const TRENDS = 'trends.changed'

const TAGS_PATH = '/api/v1/trends/tags'
const tags = {
  ...common,
  params: cuts(10),
  returns: '[Tag]',
  // Their histories count every status.
  cacheTags: () => [TRENDS, 'status.created', 'status.updated', 'status.deleted'],
  handle: (asked: Asked, context: Reader) =>
    showPart(context, asked, TAGS_PATH, part => findTrendingTags(context, part)),
} as const

const showTags = operation({
  ...tags,
  path: TAGS_PATH,
  summary: 'List hashtags that are used more than usual',
})

const showTagsV1 = operation({
  ...tags,
  path: '/api/v1/trends',
  summary: 'List hashtags that are used more than usual, for older clients',
  headers: { Deprecation: '@1648598400' },
})

const showStatuses = operation({
  ...common,
  path: '/api/v1/trends/statuses',
  summary: 'List statuses that are boosted and favourited more than usual',
  params: cuts(20),
  returns: '[Status]',
  cacheTags: () => [TRENDS],
  handle: (asked, context) =>
    showPart(context, asked, context.request.path, part => findTrendingStatuses(context, part)),
})

const showLinks = operation({
  ...common,
  path: '/api/v1/trends/links',
  summary: 'List links that are shared more than usual',
  params: cuts(10),
  returns: '[Trends::Link]',
  cacheTags: () => [TRENDS, 'preview_card.changed'],
  handle: (asked, context) => showPart(context, asked, context.request.path, part => findTrendingLinks(context, part)),
})

export const operations = [showTags, showTagsV1, showStatuses, showLinks]
