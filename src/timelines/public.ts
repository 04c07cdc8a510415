import { c, query, type Database } from '../database/index.ts'
import { operation } from '../http/operation.ts'
import type { Range } from '../http/index.ts'
import { param } from '../http/param.ts'
import type { Id } from '../id.ts'
import { accessibleParts, type Parts } from './access.ts'
import { anonymousPages } from './anonymous.ts'
import { boundsOf, RANGE, renderTimeline } from './render.ts'
import type { Viewer } from '../oauth/token.ts'

const COMMON = {
  viewer: c.nullable(c.id),
  local: c.boolean,
  remote: c.boolean,
  languages: c.nullable(c.texts),
  max_id: c.id,
  most: c.integer,
} as const
const DOWN = { ...COMMON, since_id: c.id } as const
const UP = { ...COMMON, min_id: c.id } as const
const IDS = { id: c.id } as const

const newest = query('timelines/public', DOWN, IDS)
const newestMedia = query('timelines/public_media', DOWN, IDS)
const above = query('timelines/public_above', UP, IDS)
const aboveMedia = query('timelines/public_media_above', UP, IDS)

/** Public posts known to the server. */
export const publicTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/public',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  changesWith: () => ['status.created', 'status.updated', 'status.deleted'],
  params: {
    local: param.boolean({ default: false, description: 'only posts of this server' }),
    remote: param.boolean({ default: false, description: 'only posts of other servers' }),
    only_media: param.boolean({ default: false, description: 'only posts with media' }),
    ...RANGE,
  },
  returns: '[Status]',
  summary: 'Public posts known to the server',
  handle({ local, remote, only_media: onlyMedia, ...range }, context) {
    const { viewer, database, settings } = context
    const parts = accessibleParts(settings, viewer, 'live', { local, remote })
    const read = async (cut: Range): Promise<readonly Id[]> => {
      const find = (): Promise<readonly Id[]> => readPublic(database, viewer, parts, onlyMedia, cut)
      return viewer ? find() : anonymousPages(context).get(JSON.stringify(['public', parts, onlyMedia, cut]), find)
    }
    return renderTimeline(context, range, read, ['local', 'remote', 'only_media'])
  },
})

/** The ids of public posts, newest first. */
export async function readPublic(
  database: Database,
  viewer: Viewer | null,
  parts: Parts,
  onlyMedia: boolean,
  range: Range,
): Promise<readonly Id[]> {
  if (!parts.local && !parts.remote) return []
  const bounds = boundsOf(range)
  const { chosenLanguages: chosen } = viewer ?? { chosenLanguages: null }
  const asked = {
    viewer: viewer?.id ?? null,
    ...parts,
    languages: chosen && chosen.length > 0 ? [...chosen] : null,
    max_id: bounds.max_id,
    most: range.limit,
  }
  const rows = bounds.above
    ? (await database.run(onlyMedia ? aboveMedia : above, { ...asked, min_id: bounds.lower })).reverse()
    : await database.run(onlyMedia ? newestMedia : newest, { ...asked, since_id: bounds.lower })
  return rows.map(row => row.id)
}
