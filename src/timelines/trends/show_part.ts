import { list, offsetPage, type Response, type Context, type Json } from '../../platform/http/index.ts'
import { findTrendingLinks, findTrendingStatuses, findTrendingTags, type Found, type Part } from './find.ts'
import { preferredLanguages } from './preferred_languages.ts'

type Reader = Context<'optional'>

export const TRENDS_PATHS = {
  tags: '/api/v1/trends/tags',
  statuses: '/api/v1/trends/statuses',
  links: '/api/v1/trends/links',
} as const

/** The parameters of a list of trends. */
interface TrendParameters {
  readonly limit: number
  readonly offset: number
  readonly lang?: string | undefined
}

/** @param path the path in the links */
async function showPart(
  context: Reader,
  parameters: TrendParameters,
  path: string,
  find: (part: Part) => Promise<Found>,
): Promise<Response | Json> {
  const { settings, request } = context
  if (!settings.get('trends')) return list([])
  const { limit, offset } = parameters
  const undecided = settings.get('trendable_by_default')
  const { keys, entities } = await find({
    languages: preferredLanguages(context, parameters.lang),
    undecided,
    limit,
    offset,
  })
  const items = list(keys.flatMap(key => entities.get(key) ?? []))
  // The second page has no link to the first one.
  const options = { keep: ['lang'], prevFrom: limit + 1 }
  return offsetPage(items, keys.length === limit, { ...request, path }, { limit, offset }, options)
}

/** The public list of hashtags; its links name its own path, wherever it is shown. */
export const showTrendingTags = (parameters: TrendParameters, context: Reader): Promise<Response | Json> =>
  showPart(context, parameters, TRENDS_PATHS.tags, part => findTrendingTags(context, part))

/** As `showTrendingTags`, for statuses. */
export const showTrendingStatuses = (parameters: TrendParameters, context: Reader): Promise<Response | Json> =>
  showPart(context, parameters, TRENDS_PATHS.statuses, part => findTrendingStatuses(context, part))

/** As `showTrendingTags`, for links. */
export const showTrendingLinks = (parameters: TrendParameters, context: Reader): Promise<Response | Json> =>
  showPart(context, parameters, TRENDS_PATHS.links, part => findTrendingLinks(context, part))
