import { c, query } from '../../platform/database/index.ts'
import type { ReplayFilter } from '../../platform/events/index.ts'
import { feeds } from '../feeds/index.ts'
import { parseId } from '../../core/id.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Services } from '../../platform/services.ts'
import {
  StreamError,
  type Caller,
  type Parameter,
  type ChannelKey,
  type StreamType,
} from '../../platform/streaming/index.ts'
import { hasTagLength, normaliseTag } from '../../core/text/index.ts'
import { DIRECT, LIST, USER, USER_NOTIFICATION } from './feed.ts'
import { onlineViewers } from './online_viewers.ts'
import { NOT_THEIR_LIST } from './personal.ts'
import { HASHTAG, HASHTAG_LOCAL, PUBLIC } from './public.ts'
import { makeReader, type Reader } from './reader.ts'
import type { Person, PublicRules } from './rules.ts'

const ownsList = query('timelines/streams/owns_list', { viewer: c.id, list: c.id }, { id: c.id })

/** The names of public streams, for which one replay filter is enough. */
const PUBLIC_NAMES = [
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const

/** The names and scopes of all streams, the same for both transports. */
export const STREAMS: Readonly<Record<string, Scope>> = {
  user: 'read:statuses',
  'user:notification': 'read:notifications',
  ...Object.fromEntries(PUBLIC_NAMES.map(name => [name, 'read:statuses'] as const)),
  hashtag: 'read:statuses',
  'hashtag:local': 'read:statuses',
  list: 'read:statuses',
  direct: 'read:statuses',
}

const STATUSES = ['status.created', 'status.updated', 'status.deleted']
const NOTIFICATIONS = ['notification.created', 'notifications.merged']
const ANNOUNCEMENTS = ['announcement.published', 'announcement.reaction', 'announcement.deleted']

const replayed = (kinds: readonly string[]) => (): ReplayFilter => ({ kinds })

/** The channel of a stream of the caller's own. */
const own =
  (family: string) =>
  (caller: Caller): ChannelKey => ({ family, name: caller.viewer.id, label: [family] })

function required(parameter: Parameter, name: string): string {
  const value = parameter(name)
  if (value === undefined || value === '') throw new StreamError(400, `Missing ${name} name parameter`)
  return value
}

/** The streams that clients can subscribe to. */
export function streamTypes(services: Services): StreamType<Reader>[] {
  const type = (name: string, rest: Omit<StreamType<Reader>, 'name' | 'scope'>): StreamType<Reader> => ({
    name,
    scope: STREAMS[name] ?? 'read',
    ...rest,
  })

  /** Feed access is checked once, when the subscription begins; the other rules for each status. */
  const admitPublic =
    (feed: 'live' | 'topic') =>
    async (caller: Caller): Promise<Reader> => {
      const { person, release } = await onlineViewers(services).acquire(caller.viewer)
      return makeReader(caller, { rules: publicRules(services, person, feed), release })
    }

  const hashtag = (family: string): StreamType<Reader> =>
    type(family, {
      locate(_caller, parameter) {
        const tag = required(parameter, 'tag')
        if (!hasTagLength(tag)) throw new StreamError(400, 'Tag name is too long')
        return { family, name: normaliseTag(tag), label: [family, tag] }
      },
      admit: admitPublic('topic'),
      replays: replayed(STATUSES),
    })

  return [
    type('user', {
      locate: own(USER),
      async admit(caller) {
        return makeReader(caller, { release: feeds(services).watch({ kind: 'home', owner: caller.viewer.id }) })
      },
      replays: replayed([...STATUSES, ...NOTIFICATIONS, ...ANNOUNCEMENTS, 'relationship.changed', 'filters.changed']),
    }),
    type('user:notification', {
      locate: own(USER_NOTIFICATION),
      admit: caller => Promise.resolve(makeReader(caller)),
      replays: replayed([...NOTIFICATIONS, 'status.updated']),
    }),
    ...PUBLIC_NAMES.map(name =>
      type(name, {
        locate: () => ({ family: PUBLIC, name, label: [name] }),
        admit: admitPublic('live'),
        replays: replayed(STATUSES),
      }),
    ),
    hashtag(HASHTAG),
    hashtag(HASHTAG_LOCAL),
    type('list', {
      locate(_caller, parameter) {
        const list = required(parameter, 'list')
        return { family: LIST, name: list, label: [LIST, list] }
      },
      async admit(caller, { name }) {
        const { id: owner } = caller.viewer
        const list = parseId(name)
        const found = list && (await services.database.one(ownsList, { viewer: owner, list }))
        if (!found) throw new StreamError(401, NOT_THEIR_LIST)
        return makeReader(caller, { release: feeds(services).watch({ kind: 'list', owner, list: found.id }) })
      },
      replays: replayed([...STATUSES, 'relationship.changed']),
    }),
    type('direct', {
      locate: own(DIRECT),
      admit: caller => Promise.resolve(makeReader(caller)),
      replays: ({ viewer }) => ({ kinds: ['conversation.changed'], accounts: [viewer.id] }),
    }),
  ]
}

/**
 * As the timelines of the REST API: users who cannot use the server yet, which anybody can become
 * by signing up, read what visitors may read.
 */
function publicRules({ settings }: Services, person: Person, feed: 'live' | 'topic'): PublicRules {
  const may = (access: string): boolean =>
    person.isFunctional
      ? access !== 'disabled' || person.viewsFeeds
      : access === 'public' && !settings.get('limited_federation_mode')
  // Asked for each reader of each status.
  const ofLocal = `local_${feed}_feed_access` as const
  const ofRemote = `remote_${feed}_feed_access` as const
  return {
    person,
    get local() {
      return may(settings.get(ofLocal))
    },
    get remote() {
      return may(settings.get(ofRemote))
    },
  }
}
