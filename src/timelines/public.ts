import { c, query } from '../platform/database/index.ts'
import { operation } from '../platform/http/operation.ts'
import type { Range } from '../platform/http/index.ts'
import { param } from '../platform/http/param/index.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { accessibleParts, type Parts } from './access.ts'
import { readListed } from './listed.ts'
import { LISTED, PUBLIC, type ListedPost } from './listed_pages.ts'
import { boundsOf, RANGE, renderTimeline, type TimelinePage } from './render.ts'

const COMMON = { local: c.boolean, remote: c.boolean, max_id: c.id, limit: c.integer } as const
const DOWN = { ...COMMON, since_id: c.id } as const
const UP = { ...COMMON, min_id: c.id } as const
const CHOSEN = { languages: c.texts, only_media: c.boolean } as const

const newest = query('timelines/public', DOWN, LISTED)
const newestMedia = query('timelines/public_media', DOWN, LISTED)
const newestChosen = query('timelines/public_languages', { ...DOWN, ...CHOSEN }, LISTED)
const above = query('timelines/public_above', UP, LISTED)
const aboveMedia = query('timelines/public_media_above', UP, LISTED)
const aboveChosen = query('timelines/public_languages_above', { ...UP, ...CHOSEN }, LISTED)

/** Public posts known to the server. */
export const publicTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/public',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: () => ['status.created', 'status.updated', 'status.deleted'],
  params: {
    local: param.boolean({ default: false, description: 'only posts of this server' }),
    remote: param.boolean({ default: false, description: 'only posts of other servers' }),
    only_media: param.boolean({ default: false, description: 'only posts with media' }),
    ...RANGE,
  },
  returns: '[Status]',
  summary: 'List public posts known to the server',
  handle({ local, remote, only_media: onlyMedia, ...range }, context) {
    const { viewer, settings } = context
    const parts = accessibleParts(settings, viewer, 'live', { local, remote })
    const read = (cut: Range): Promise<TimelinePage> => readPublic(context, viewer, parts, onlyMedia, cut)
    return renderTimeline(context, range, read, { keep: ['local', 'remote', 'only_media'], visible: true })
  },
})

/** Public posts. */
export async function readPublic(
  services: Services,
  viewer: Pick<Viewer, 'id' | 'chosenLanguages'> | null,
  parts: Parts,
  onlyMedia: boolean,
  range: Range,
): Promise<TimelinePage> {
  if (!parts.local && !parts.remote) return { ids: [] }
  const filter = { parts, onlyMedia, languages: viewer?.chosenLanguages ?? [] }
  const timeline = {
    name: ['public', filter],
    topics: [PUBLIC],
    read: (cut: Range) => findPublic(services, filter, cut),
  }
  return readListed(services, viewer, timeline, range)
}

interface Wanted {
  readonly parts: Parts
  readonly onlyMedia: boolean
  /** Empty for all. */
  readonly languages: readonly string[]
}

async function findPublic(
  { database }: Services,
  { parts, onlyMedia, languages }: Wanted,
  range: Range,
): Promise<readonly ListedPost[]> {
  const { max_id, lower, above: isAbove } = boundsOf(range)
  const common = { ...parts, max_id, limit: range.limit }
  const chosen = { languages: [...languages], only_media: onlyMedia }
  if (isAbove) {
    const parameters = { ...common, min_id: lower }
    const rows =
      languages.length > 0
        ? database.run(aboveChosen, { ...parameters, ...chosen })
        : database.run(onlyMedia ? aboveMedia : above, parameters)
    return (await rows).reverse()
  }
  const parameters = { ...common, since_id: lower }
  return languages.length > 0
    ? database.run(newestChosen, { ...parameters, ...chosen })
    : database.run(onlyMedia ? newestMedia : newest, parameters)
}
