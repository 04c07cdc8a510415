import { ApiError } from '../../core/errors.ts'
import { json, operation, param, redirect } from '../../platform/http/index.ts'
import { streams } from './index.ts'
import { STREAMS } from './types.ts'

/**
 * The stream authenticates the caller itself, because its errors differ from those of the rest of
 * the API.
 */
const shared = { method: 'GET', auth: 'handler', returns: 'stream', allowWhenClosed: 'always' } as const

const token = param.string({ optional: true, description: 'the token, for clients that cannot send headers' })
const from = param.string({
  optional: true,
  description: 'id of the last received event; later events are sent first',
})
const parameters = { access_token: token, last_event_id: from } as const
const onlyMedia = param.boolean({ default: false, description: 'only statuses with media' })
const tag = param.string({ optional: true, description: 'the hashtag, without #' })
const list = param.string({ optional: true, description: 'id of the list' })

/**
 * The path of a stream without a `:media` name: `public:local` is at
 * `/api/v1/streaming/public/local`.
 */
const pathOf = (name: string): string => `/api/v1/streaming/${name.replaceAll(':', '/')}`

const plainStream = (name: string, summary: string, more = {}) =>
  operation({
    ...shared,
    path: pathOf(name),
    scopes: STREAMS[name] ? [STREAMS[name]] : [],
    params: { ...parameters, ...more },
    summary,
    handle: (_, context) => streams(context).respond(context.request, name),
  })

const publicStream = (name: string, summary: string) =>
  operation({
    ...shared,
    path: pathOf(name),
    scopes: ['read:statuses'],
    params: { ...parameters, only_media: onlyMedia },
    summary,
    handle: ({ only_media: isMedia }, context) =>
      streams(context).respond(context.request, isMedia ? `${name}:media` : name),
  })

/** An unknown stream's path; reported before the token is checked. */
const unknownStream = operation({
  ...shared,
  path: '/api/v1/streaming/*',
  scopes: [],
  params: {},
  summary: 'Report an unknown stream',
  handle: (_, context) => streams(context).respond(context.request, undefined),
})

/** A plain request: refers to the streaming host, if that is another one. */
const notUpgraded = operation({
  ...shared,
  path: '/api/v1/streaming',
  scopes: [],
  params: {
    ...parameters,
    stream: param.string({ optional: true, description: 'name of a stream to subscribe to at once' }),
    tag,
    list,
    event_ids: param.boolean({ default: false, description: 'messages carry the id that clients resume from' }),
  },
  summary: 'Open a WebSocket for any number of streams',
  handle(_, { config, request }) {
    const { host } = new URL(config.streamingUrl)
    if (host === new URL(config.publicUrl).host) throw new ApiError('routeNotFound')
    if (host === request.header('host')) return json({ error: 'Unknown channel requested' }, 400)
    const query = request.query === '' ? '' : `?${request.query}`
    return redirect(`${config.streamingUrl.replace(/^ws/, 'http')}${request.path}${query}`, 301)
  },
})

export const operations = [
  plainStream('user', 'Home feed, notifications and what concerns the account'),
  plainStream('user:notification', 'Notifications'),
  publicStream('public', 'Public posts'),
  publicStream('public:local', 'Public posts of this server'),
  publicStream('public:remote', 'Public posts of other servers'),
  plainStream('hashtag', 'List public posts with a hashtag', { tag }),
  plainStream('hashtag:local', 'Public posts of this server with a hashtag', { tag }),
  plainStream('list', 'The feed of a list', { list }),
  plainStream('direct', 'Direct conversations'),
  notUpgraded,
  unknownStream,
]
