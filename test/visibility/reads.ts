import type { ClientResponse, Client } from '../support/client.ts'
import type { Cast, Viewer } from './cast.ts'
import type { Place } from './rules.ts'

/** The subject of a read. */
export interface ReadContext {
  readonly cast: Cast
  readonly viewer: Viewer
  readonly client: Client
  readonly status: string
  /** The parent of the status. */
  readonly root: string
  readonly tag: string
}

export interface Read {
  readonly place: Place
  /** Checks only that nothing hidden appears: the read need not find everything. */
  readonly atMost?: true
  ask(asked: ReadContext): Promise<ClientResponse> | undefined
}

/** A read of the status itself: it is visible if the response is a success. */
const alone = (rest = '', place: Place = 'alone'): Read => ({
  place,
  ask: ({ client, status }) => client.get(`/api/v1/statuses/${status}${rest}`),
})

const listed = (place: Place, path: string, query: Record<string, string> = {}): Read => ({
  place,
  ask: ({ client }) => client.get(path, { limit: '40', ...query }),
})

/** Reads whose success shows visibility. */
export const STATUS_READS: Readonly<Record<string, Read>> = {
  show: alone(),
  'its context': alone('/context'),
  history: alone('/history'),
  'favourited by': alone('/favourited_by'),
  'reblogged by': alone('/reblogged_by'),
  source: alone('/source', 'withToken'),
}

/** Reads whose list shows visibility. */
export const LIST_READS: Readonly<Record<string, Read>> = {
  batch: { place: 'wanted', ask: ({ client, status }) => client.get('/api/v1/statuses', { 'id[]': status }) },
  'context of what it answers': {
    place: 'wanted',
    ask: ({ client, root }) => client.get(`/api/v1/statuses/${root}/context`),
  },
  'statuses of the author': {
    place: 'alone',
    ask: ({ client, cast }) => client.get(`/api/v1/accounts/${cast.author.id}/statuses`, { limit: '40' }),
  },
  home: listed('home', '/api/v1/timelines/home'),
  public: listed('everybody', '/api/v1/timelines/public'),
  'public, local': listed('everybody', '/api/v1/timelines/public', { local: 'true' }),
  hashtag: { place: 'everybody', ask: ({ client, tag }) => client.get(`/api/v1/timelines/tag/${tag}`) },
  list: {
    place: 'list',
    ask: ({ client, cast, viewer }) => {
      const id = cast.lists.get(viewer)
      return id === undefined ? undefined : client.get(`/api/v1/timelines/list/${id}`, { limit: '40' })
    },
  },
  favourites: listed('kept', '/api/v1/favourites'),
  bookmarks: listed('kept', '/api/v1/bookmarks'),
  notifications: listed('notified', '/api/v1/notifications', { include_filtered: 'true' }),
  'notifications in groups': listed('notified', '/api/v2/notifications', { include_filtered: 'true' }),
  conversations: listed('conversation', '/api/v1/conversations'),
  'direct timeline': { ...listed('kept', '/api/v1/timelines/direct'), atMost: true },
  search: { ...listed('kept', '/api/v2/search', { q: 'secretword', type: 'statuses' }), atMost: true },
  'search by URL': {
    place: 'kept',
    atMost: true,
    ask: ({ client, cast, status }) => {
      const url = `${cast.server.url}/@${cast.author.username}/${status}`
      return client.get('/api/v2/search', { q: url, resolve: 'true' })
    },
  },
}
