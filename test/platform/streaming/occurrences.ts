import assert from 'node:assert/strict'
import { sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { arrive, sayWithMedia } from './arrive.ts'

/** The events that each occurrence sends to each stream, for all occurrences of the contract. */

export interface World {
  readonly server: ServerAddress
  /** Reads all streams; follows bob and dora, and has bob in a list. */
  readonly alice: Person
  readonly bob: Person
  /** Has no relationship with the others. */
  readonly carol: Person
  /** A limited account. */
  readonly dora: Person
  /** The ids of the objects, by their names in the table. */
  readonly ids: Map<string, string>
}

type Expected = Readonly<Record<string, string>>

/** The same events for each of these streams. */
const to = (names: readonly string[], words: string): Expected => Object.fromEntries(names.map(name => [name, words]))

export const FEEDS = ['user', 'list']
const PUBLIC = ['public', 'public:local']
const MEDIA = [...PUBLIC, 'public:media', 'public:local:media']
const TAGS = ['hashtag', 'hashtag:local']
const NOTIFIED = ['user', 'user:notification']

export interface Occurrence {
  readonly what: string
  /** Returns the id in the payload of `update`, `status.update` and `delete`, if there is one. */
  readonly act: (world: World) => Promise<string | undefined>
  /** The events of each stream, in order; streams that are not named receive none. */
  readonly expected: Expected
}

const named = async (world: World, name: string, made: Promise<string>): Promise<string> => {
  const id = await made
  world.ids.set(name, id)
  return id
}
const idOf = (world: World, name: string): string => {
  const id = world.ids.get(name)
  assert.ok(id, name)
  return id
}
const postStatus = async (author: Person, text: string, more: Record<string, unknown> = {}): Promise<string> =>
  (await author.postStatus(text, more)).id

/** Sends a request and expects success. */
export async function call(
  who: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const { status, text, json } = await who.request(method, path, { body })
  assert.equal(status, 200, `${method} ${path}: ${text}`)
  return json as Record<string, unknown>
}
async function edit(world: World, who: Person, name: string, status: string): Promise<string> {
  const path = `/api/v1/statuses/${idOf(world, name)}`
  const { media_attachments: media } = await call(who, 'GET', path)
  await call(who, 'PUT', path, { status, media_ids: (media as { id: string }[]).map(({ id }) => id) })
  return idOf(world, name)
}
const remove = async (world: World, who: Person, name: string): Promise<string> => {
  await call(who, 'DELETE', `/api/v1/statuses/${idOf(world, name)}`)
  return idOf(world, name)
}
async function boost(world: World, who: Person, name: string): Promise<string> {
  const made = await call(who, 'POST', `/api/v1/statuses/${idOf(world, 'stranger')}/reblog`)
  return named(world, name, Promise.resolve(String(made['id'])))
}
async function unboost(world: World, who: Person, name: string): Promise<string> {
  await call(who, 'POST', `/api/v1/statuses/${idOf(world, 'stranger')}/unreblog`)
  return idOf(world, name)
}
const quietly = async (who: Person, path: string, body?: unknown): Promise<undefined> => {
  await call(who, 'POST', path, body)
  return undefined
}
const tell = async (world: World, kind: string, object: string | null = null): Promise<undefined> => {
  await sql(world.server, 'insert into events (kind, object_id) values ($1, $2)', [kind, object])
  return undefined
}

const STATUSES: readonly Occurrence[] = [
  {
    what: 'a public post with tag and media of somebody who is followed and in a list',
    act: w => named(w, 'tea', sayWithMedia(w.bob, '#tea')),
    expected: { ...to(FEEDS, 'update'), ...to(MEDIA, 'update'), ...to(TAGS, 'update') },
  },
  {
    what: 'a public post without',
    act: w => named(w, 'plain', postStatus(w.bob, 'plain')),
    expected: { ...to(FEEDS, 'update'), ...to(PUBLIC, 'update') },
  },
  {
    what: 'an unlisted post with the tag',
    act: w => named(w, 'unlisted', postStatus(w.bob, '#tea', { visibility: 'unlisted' })),
    expected: to(FEEDS, 'update'),
  },
  {
    what: 'a post to followers with the tag',
    act: w => named(w, 'private', postStatus(w.bob, '#tea', { visibility: 'private' })),
    expected: to(FEEDS, 'update'),
  },
  {
    what: 'a direct post',
    act: w => named(w, 'direct', postStatus(w.bob, `@${w.alice.username} #tea`, { visibility: 'direct' })),
    expected: { user: 'update notification', 'user:notification': 'notification', direct: 'conversation' },
  },
  {
    what: 'a public post of a stranger',
    act: w => named(w, 'stranger', postStatus(w.carol, '#tea')),
    expected: { ...to(PUBLIC, 'update'), ...to(TAGS, 'update') },
  },
  {
    what: 'an answer to oneself',
    act: w => postStatus(w.carol, 'and #tea', { in_reply_to_id: idOf(w, 'stranger') }),
    expected: { ...to(PUBLIC, 'update'), ...to(TAGS, 'update') },
  },
  {
    what: 'an answer to somebody else, who is not followed',
    act: w =>
      named(w, 'answer', postStatus(w.bob, `#tea @${w.carol.username}`, { in_reply_to_id: idOf(w, 'stranger') })),
    expected: to(TAGS, 'update'),
  },
  {
    what: 'a boost',
    act: w => boost(w, w.bob, 'boost'),
    expected: to(FEEDS, 'update'),
  },
  {
    what: 'a status whose boost is in the feed already',
    act: w => boost(w, w.dora, 'suppressed'),
    expected: {},
  },
  {
    what: 'a post of a limited account that is followed: it becomes unlisted',
    act: w => named(w, 'limited', postStatus(w.dora, '#tea')),
    expected: { user: 'update' },
  },
  {
    what: 'an own post that nobody else sees',
    act: w => postStatus(w.alice, 'to myself', { visibility: 'direct' }),
    expected: { user: 'update', direct: 'conversation' },
  },
  {
    what: 'an own public post',
    act: w => named(w, 'own', postStatus(w.alice, 'mine')),
    expected: { user: 'update', ...to(PUBLIC, 'update') },
  },
  {
    what: 'a public post of another server with tag and media',
    act: w => arrive(w.server, { tag: 'tea', withMedia: true }),
    expected: to(['public', 'public:remote', 'public:media', 'public:remote:media', 'hashtag'], 'update'),
  },
  {
    what: 'one that is older than six hours when it arrives',
    act: w => arrive(w.server, { tag: 'tea', withMedia: true, ageHours: 7 }),
    expected: {},
  },
]

const CHANGES: readonly Occurrence[] = [
  {
    what: 'an edit',
    act: w => edit(w, w.bob, 'tea', '#tea later'),
    expected: { ...to(FEEDS, 'status.update'), ...to(MEDIA, 'status.update'), ...to(TAGS, 'status.update') },
  },
  {
    what: 'an edit of a post that only a boost brought into the feed',
    act: w => edit(w, w.carol, 'stranger', '#tea later'),
    expected: { ...to(PUBLIC, 'status.update'), ...to(TAGS, 'status.update') },
  },
  {
    what: 'an edit that adds a mention of the reader, by an unknown account',
    act: w => edit(w, w.carol, 'stranger', `#tea with @${w.alice.username}`),
    expected: {
      ...to(PUBLIC, 'status.update'),
      ...to(TAGS, 'status.update'),
      user: 'status.update notification',
      'user:notification': 'status.update notification',
    },
  },
  {
    what: 'another edit of a post that mentions the reader',
    act: w => edit(w, w.carol, 'stranger', `#tea again with @${w.alice.username}`),
    expected: { ...to(PUBLIC, 'status.update'), ...to(TAGS, 'status.update'), ...to(NOTIFIED, 'status.update') },
  },
  {
    what: 'another policy for quotes',
    act: async w => {
      const path = `/api/v1/statuses/${idOf(w, 'plain')}/interaction_policy`
      await call(w.bob, 'PUT', path, { quote_approval_policy: 'nobody' })
      return idOf(w, 'plain')
    },
    expected: { ...to(FEEDS, 'status.update'), ...to(PUBLIC, 'status.update') },
  },
  {
    what: 'another policy for quotes of a post that mentions the reader',
    act: async w => {
      const path = `/api/v1/statuses/${idOf(w, 'stranger')}/interaction_policy`
      await call(w.carol, 'PUT', path, { quote_approval_policy: 'nobody' })
      return idOf(w, 'stranger')
    },
    expected: { ...to(PUBLIC, 'status.update'), ...to(TAGS, 'status.update') },
  },
  {
    what: 'a quote of the reader’s post',
    act: w => named(w, 'quoting', postStatus(w.bob, 'see', { quoted_status_id: idOf(w, 'own') })),
    expected: {
      user: 'update notification',
      'user:notification': 'notification',
      list: 'update',
      ...to(PUBLIC, 'update'),
    },
  },
  {
    what: 'a quote that is revoked',
    act: async w => {
      const [own, quoting] = [idOf(w, 'own'), idOf(w, 'quoting')]
      await call(w.alice, 'POST', `/api/v1/statuses/${own}/quotes/${quoting}/revoke`)
      return quoting
    },
    expected: { ...to(FEEDS, 'status.update'), ...to(PUBLIC, 'status.update') },
  },
  ...['favourite', 'bookmark', 'mute'].map(what => ({
    what: `the reader’s ${what}`,
    act: (w: World) => quietly(w.alice, `/api/v1/statuses/${idOf(w, 'tea')}/${what}`),
    expected: {},
  })),
  {
    what: 'a pin',
    act: w => quietly(w.bob, `/api/v1/statuses/${idOf(w, 'plain')}/pin`),
    expected: {},
  },
  {
    what: 'a favourite of the reader’s post',
    act: w => quietly(w.bob, `/api/v1/statuses/${idOf(w, 'own')}/favourite`),
    expected: to(NOTIFIED, 'notification'),
  },
]

const ENDS: readonly Occurrence[] = [
  {
    what: 'an unboost',
    act: w => unboost(w, w.bob, 'boost'),
    expected: to(FEEDS, 'delete'),
  },
  {
    what: 'an unboost of what took its place in the feed',
    act: w => unboost(w, w.dora, 'suppressed'),
    expected: { user: 'delete' },
  },
  {
    what: 'the deletion of a post with tag and media',
    act: w => remove(w, w.bob, 'tea'),
    expected: { ...to(FEEDS, 'delete'), ...to(MEDIA, 'delete'), ...to(TAGS, 'delete') },
  },
  {
    what: 'the deletion of an unlisted post',
    act: w => remove(w, w.bob, 'unlisted'),
    expected: to(FEEDS, 'delete'),
  },
  {
    what: 'the deletion of an answer, which public streams never had',
    act: w => remove(w, w.bob, 'answer'),
    expected: { ...to(PUBLIC, 'delete'), ...to(TAGS, 'delete') },
  },
  {
    what: 'the deletion of a limited account’s post',
    act: w => remove(w, w.dora, 'limited'),
    expected: { user: 'delete' },
  },
  {
    what: 'the deletion of a stranger’s post that mentions the reader',
    act: w => remove(w, w.carol, 'stranger'),
    expected: { user: 'delete', ...to(PUBLIC, 'delete'), ...to(TAGS, 'delete') },
  },
  {
    what: 'the deletion of a direct post, and with it of the conversation',
    act: w => remove(w, w.bob, 'direct'),
    expected: { user: 'delete' },
  },
]

const OTHERS: readonly Occurrence[] = [
  {
    what: 'a filter that is made',
    act: w => quietly(w.alice, '/api/v2/filters', { title: 'tea', context: ['home'] }),
    expected: { user: 'filters_changed' },
  },
  {
    what: 'a direct post of a stranger, which the policy filters',
    act: w => postStatus(w.carol, `@${w.alice.username} psst`, { visibility: 'direct' }),
    expected: {},
  },
  {
    what: 'the request of the stranger, accepted',
    act: async w => {
      const { json } = await w.alice.get('/api/v1/notifications/requests')
      const [request] = json as { id: string }[]
      return quietly(w.alice, `/api/v1/notifications/requests/${request?.id}/accept`)
    },
    expected: { ...to(NOTIFIED, 'notifications_merged'), direct: 'conversation' },
  },
  {
    what: 'a conversation that is read',
    act: async w => {
      const { json } = await w.alice.get('/api/v1/conversations')
      const [conversation] = json as { id: string }[]
      return quietly(w.alice, `/api/v1/conversations/${conversation?.id}/read`)
    },
    expected: { direct: 'conversation' },
  },
  {
    what: 'an announcement',
    act: async w => {
      const [made] = await sql(
        w.server,
        `insert into announcements (text, content, published, published_at) values ('Hi', '<p>Hi</p>', true, now())
         returning id::text as id`,
      )
      w.ids.set('announcement', String(made?.['id']))
      return tell(w, 'announcement.published', idOf(w, 'announcement'))
    },
    expected: { user: 'announcement' },
  },
  {
    what: 'a reaction',
    act: async w => {
      await call(w.bob, 'PUT', `/api/v1/announcements/${idOf(w, 'announcement')}/reactions/${encodeURIComponent('👍')}`)
      return undefined
    },
    expected: { user: 'announcement.reaction' },
  },
  {
    what: 'an announcement that is shown no more',
    act: w => tell(w, 'announcement.deleted', idOf(w, 'announcement')),
    expected: { user: 'announcement.delete' },
  },
]

/** Sends a last message on every stream: an unexpected one would have arrived before it. */
const LAST: readonly Occurrence[] = [
  {
    what: 'the last local post',
    act: w => sayWithMedia(w.bob, '#tea the last'),
    expected: { ...to(FEEDS, 'update'), ...to(MEDIA, 'update'), ...to(TAGS, 'update') },
  },
  {
    what: 'the last of another server',
    act: w => arrive(w.server, { tag: 'tea', withMedia: true }),
    expected: to(['public', 'public:remote', 'public:media', 'public:remote:media', 'hashtag'], 'update'),
  },
  {
    what: 'the last direct post',
    act: w => postStatus(w.bob, `@${w.alice.username} the last`, { visibility: 'direct' }),
    expected: { user: 'update notification', 'user:notification': 'notification', direct: 'conversation' },
  },
]

/** In order, on one server. */
export const OCCURRENCES = [...STATUSES, ...CHANGES, ...ENDS, ...OTHERS, ...LAST]
