import { ApiError } from '../core/errors.ts'
import { feeds, type FeedName } from './feeds/index.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import type { Context, Range } from '../platform/http/index.ts'
import { prefetchPage } from '../statuses/index.ts'
import { RANGE, renderTimeline, type TimelinePage } from './render.ts'

async function readPage(context: Context<'user'>, name: FeedName, range: Range): Promise<TimelinePage> {
  const ids = (await feeds(context).page(name, range)) ?? []
  prefetchPage(context, context.viewer.id, ids, feeds(context).outlineOf)
  return { ids }
}

/**
 * The home feed. A feed that is not in memory is read before the response, so it is always
 * complete.
 */
export const homeTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/home',
  auth: 'user',
  scopes: ['read:statuses'],
  params: { local: param.boolean({ optional: true, description: 'kept in the links, without effect' }), ...RANGE },
  returns: '[Status]',
  summary: "Show the caller's home feed",
  handle({ local: _local, ...range }, context) {
    const home = { kind: 'home', owner: context.viewer.id } as const
    return renderTimeline(context, range, cut => readPage(context, home, cut), {
      keep: ['local'],
    })
  },
})

/** The feed of a list. */
export const listTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/list/:list_id',
  auth: 'user',
  scopes: ['read:lists'],
  params: { list_id: param.id(), ...RANGE },
  returns: '[Status]',
  summary: "Show the feed of one of the caller's lists",
  async handle({ list_id: list, ...range }, context) {
    const name = { kind: 'list', owner: context.viewer.id, list } as const
    if (!(await feeds(context).page(name, { limit: 0 }))) throw new ApiError('notFound')
    return renderTimeline(context, range, cut => readPage(context, name, cut))
  },
})
