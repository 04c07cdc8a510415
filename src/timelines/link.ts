import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Context, Range } from '../platform/http/index.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { findTrendingLink } from './trends/index.ts'
import { accessibleParts, type Parts } from './access.ts'
import { boundsOf, RANGE, renderTimeline, type TimelinePage } from './render.ts'

const COMMON = {
  viewer: c.nullable(c.id),
  card: c.id,
  local: c.boolean,
  remote: c.boolean,
  languages: c.nullable(c.texts),
  max_id: c.id,
  limit: c.integer,
} as const

const newest = query('timelines/link', { ...COMMON, since_id: c.id }, { id: c.id })
const above = query('timelines/link_above', { ...COMMON, min_id: c.id }, { id: c.id })

/** Public posts that share a trending link. */
export const linkTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/link',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  // A status joins when its preview card has been fetched, which is after it was posted.
  cacheTags: () => ['trends.changed', 'preview_card.shown', 'status.updated', 'status.deleted'],
  params: {
    url: param.string({ missing: 404, description: 'exact URL of a preview card' }),
    local: param.boolean({ default: false, description: 'only posts of this server' }),
    remote: param.boolean({ default: false, description: 'only posts of other servers' }),
    ...RANGE,
  },
  returns: '[Status]',
  summary: 'List public posts that link to a trending article',
  async handle({ url, local, remote, ...range }, context) {
    const parts = accessibleParts(context.settings, context.viewer, 'topic', { local, remote })
    const card = await findTrendingLink(context, url)
    if (card === undefined) throw new ApiError('notFound')
    return renderTimeline(context, range, cut => readLink(context, parts, card, cut), {
      keep: ['url', 'local', 'remote'],
      visible: true,
    })
  },
})

async function readLink({ database, viewer }: Context, parts: Parts, card: Id, range: Range): Promise<TimelinePage> {
  if (!parts.local && !parts.remote) return { ids: [] }
  const bounds = boundsOf(range)
  const chosen = viewer?.chosenLanguages ?? []
  const parameters = {
    viewer: viewer?.id ?? null,
    card,
    ...parts,
    languages: chosen.length > 0 ? [...chosen] : null,
    max_id: bounds.max_id,
    limit: range.limit,
  }
  const rows = bounds.above
    ? (await database.run(above, { ...parameters, min_id: bounds.lower })).reverse()
    : await database.run(newest, { ...parameters, since_id: bounds.lower })
  return { ids: rows.map(row => row.id) }
}
