import { operation, param } from '../../platform/http/index.ts'
import { showTrendingLinks, showTrendingStatuses, showTrendingTags, TRENDS_PATHS } from './show_part.ts'

const cuts = (usual: number) =>
  ({
    limit: param.limit(usual),
    offset: param.offset(),
    lang: param.string({ optional: true, description: 'the language whose trends come first' }),
  }) as const

const common = { method: 'GET', auth: 'optional', scopes: [], cache: 'public', varyByLanguage: true } as const

/** Raised when scores were computed, or a moderator decided. */
const TRENDS = 'trends.changed'

const tags = {
  ...common,
  params: cuts(10),
  returns: '[Tag]',
  // Their histories count every status.
  cacheTags: () => [TRENDS, 'status.created', 'status.updated', 'status.deleted'],
  handle: showTrendingTags,
} as const

const showTags = operation({
  ...tags,
  path: TRENDS_PATHS.tags,
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
  path: TRENDS_PATHS.statuses,
  summary: 'List statuses that are boosted and favourited more than usual',
  params: cuts(20),
  returns: '[Status]',
  cacheTags: () => [TRENDS],
  handle: showTrendingStatuses,
})

const showLinks = operation({
  ...common,
  path: TRENDS_PATHS.links,
  summary: 'List links that are shared more than usual',
  params: cuts(10),
  returns: '[Trends::Link]',
  cacheTags: () => [TRENDS, 'preview_card.changed'],
  handle: showTrendingLinks,
})

export const operations = [showTags, showTagsV1, showStatuses, showLinks]
