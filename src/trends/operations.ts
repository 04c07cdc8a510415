import { json, operation, param, type Context } from '../http/index.ts'

/**
 * Nothing trends on this server yet: nothing is scored, so nothing has been approved, and each list is truthfully empty.
 */
const nothing = (vary: string) => (_: unknown, context: Context<'optional'>) => {
  const isPublic = context.request.header('authorization') === ''
  const cache = isPublic ? 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400' : 'private, no-store'
  return json([], 200, { 'Cache-Control': cache, Vary: vary })
}

const cuts = (usual: number) =>
  ({
    limit: param.limit(usual),
    offset: param.integer({ default: 0, min: 0 }),
    lang: param.string({ optional: true, description: 'the language whose trends come first' }),
  }) as const

const common = { method: 'GET', auth: 'optional', scopes: [], cache: 'own' } as const

const tags = operation({
  ...common,
  path: '/api/v1/trends/tags',
  summary: 'List hashtags that are used more than usual',
  params: cuts(10),
  returns: '[Tag]',
  handle: nothing('Authorization'),
})

const tagsV1 = operation({
  ...common,
  path: '/api/v1/trends',
  summary: 'List hashtags that are used more than usual, as older clients ask',
  params: cuts(10),
  returns: '[Tag]',
  headers: { Deprecation: '@1648598400' },
  handle: nothing('Authorization'),
})

const statuses = operation({
  ...common,
  path: '/api/v1/trends/statuses',
  summary: 'List statuses that are boosted and favourited more than usual',
  params: cuts(20),
  returns: '[Status]',
  handle: nothing('Authorization, Accept-Language'),
})

const links = operation({
  ...common,
  path: '/api/v1/trends/links',
  summary: 'List links that are shared more than usual',
  params: cuts(10),
  returns: '[Trends::Link]',
  handle: nothing('Authorization, Accept-Language'),
})

export const operations = [tags, tagsV1, statuses, links]
