import { c, query } from '../platform/database/index.ts'
import type { Range } from '../platform/http/index.ts'
import { operation } from '../platform/http/operation.ts'
import { hashtagTag } from '../platform/http/index.ts'
import { param } from '../platform/http/param/index.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { normaliseTag } from '../core/text/index.ts'
import { accessibleParts, type Parts } from './access.ts'
import { readListed } from './listed.ts'
import { LISTED, type ListedPost } from './listed_pages.ts'
import { boundsOf, RANGE, renderTimeline, type TimelinePage } from './render.ts'

const COMMON = {
  names: c.texts,
  all_names: c.texts,
  none_names: c.texts,
  local: c.boolean,
  remote: c.boolean,
  only_media: c.boolean,
  max_id: c.id,
  limit: c.integer,
} as const

const newest = query('timelines/tag', { ...COMMON, since_id: c.id }, LISTED)
const above = query('timelines/tag_above', { ...COMMON, min_id: c.id }, LISTED)

/** The limit of names of each kind. */
const MAX_NAMES = 4

/** Tags by their identities. */
interface Tags {
  /** Any of them; the first is the timeline's own tag. */
  readonly names: readonly string[]
  readonly all: readonly string[]
  readonly none: readonly string[]
}

const identities = (names: readonly string[]): string[] => names.slice(0, MAX_NAMES).map(normaliseTag)

/** Public posts with a hashtag. */
export const tagTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/tag/:hashtag',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: ({ hashtag, any }) => identities([hashtag, ...any]).map(hashtagTag),
  params: {
    hashtag: param.string({ description: 'name without #' }),
    any: param.strings({ default: [], scalar: true, description: 'also posts with any of these' }),
    all: param.strings({ default: [], scalar: true, description: 'only posts with every one of these' }),
    none: param.strings({ default: [], scalar: true, description: 'only posts with none of these' }),
    local: param.boolean({ default: false, description: 'only posts of this server' }),
    remote: param.boolean({ default: false, description: 'only posts of other servers' }),
    only_media: param.boolean({ default: false, description: 'only posts with media' }),
    ...RANGE,
  },
  returns: '[Status]',
  summary: 'List public posts with a hashtag',
  handle({ hashtag, any, all, none, local, remote, only_media: onlyMedia, ...range }, context) {
    const parts = accessibleParts(context.settings, context.viewer, 'topic', { local, remote })
    const tags = { names: identities([hashtag, ...any]), all: identities(all), none: identities(none) }
    const read = (cut: Range): Promise<TimelinePage> => readTag(context, context.viewer, parts, tags, onlyMedia, cut)
    return renderTimeline(context, range, read, { keep: ['local', 'only_media'], visible: true })
  },
})

/** Public posts with these tags. */
export async function readTag(
  services: Services,
  viewer: Pick<Viewer, 'id'> | null,
  parts: Parts,
  tags: Tags,
  onlyMedia: boolean,
  range: Range,
): Promise<TimelinePage> {
  if (!parts.local && !parts.remote) return { ids: [] }
  const timeline = {
    name: ['tag', parts, tags, onlyMedia],
    topics: tags.names.map(hashtagTag),
    read: (cut: Range) => findTagged(services, { parts, tags, onlyMedia }, cut),
  }
  return readListed(services, viewer, timeline, range)
}

interface Wanted {
  readonly parts: Parts
  readonly tags: Tags
  readonly onlyMedia: boolean
}

async function findTagged(
  { database }: Services,
  { parts, tags, onlyMedia }: Wanted,
  range: Range,
): Promise<readonly ListedPost[]> {
  const bounds = boundsOf(range)
  const parameters = {
    names: [...tags.names],
    all_names: [...tags.all],
    none_names: [...tags.none],
    ...parts,
    only_media: onlyMedia,
    max_id: bounds.max_id,
    limit: range.limit,
  }
  return bounds.above
    ? (await database.run(above, { ...parameters, min_id: bounds.lower })).reverse()
    : database.run(newest, { ...parameters, since_id: bounds.lower })
}
