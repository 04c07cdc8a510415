import { accountFragments, isVisibleTo } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect, type AnyOperation, type Context } from '../../platform/http/index.ts'
import { instanceActorUri, wantsDocument } from '../protocol/index.ts'
import { instanceActorObject, serverUrls } from './actor.ts'
import { DOCUMENT, sendDocument } from './document_response.ts'
import { collectionOperations } from './collections.ts'
import { emojiTag } from './emojis.ts'
import { showActivity, showActor, showNote } from './show.ts'
import { featuredCollectionOperations } from './featured_collections.ts'
import { statusCollectionOperations } from './status_collections.ts'
import { threadOperations } from './threads.ts'

const findEmoji = query(
  'federation/documents/emoji',
  { id: c.id },
  { id: c.id, shortcode: c.text, image: c.json<{ key: string }>(), updated_at: c.timestamp },
)

const INSTANCE_AGE_S = 600
const EMOJI_AGE_S = 180

/** The path of a local account's profile page, to which browsers are redirected. */
async function profilePath(context: Context, id: Id): Promise<string> {
  const account = await accountFragments(context).one(id)
  if (!account || account.domain !== null || !isVisibleTo(account, null)) throw new ApiError('routeNotFound')
  return `/@${account.username}`
}

const redirectToPage = (path: string) => redirect(path, 302, { Vary: 'Accept, Origin' })

const actor = operation({
  ...DOCUMENT,
  page: true,
  path: '/ap/users/:id',
  summary: 'An account, for other servers; leads browsers on to its page',
  params: { id: param.id() },
  handle: async ({ id }, context) =>
    wantsDocument(context.request) ? showActor(context, id) : redirectToPage(await profilePath(context, id)),
})

const note = operation({
  ...DOCUMENT,
  page: true,
  path: '/ap/users/:id/statuses/:status_id',
  summary: 'A post, for other servers; leads browsers on to its page',
  params: { id: param.id(), status_id: param.id() },
  handle: async ({ id, status_id: status }, context) =>
    wantsDocument(context.request)
      ? showNote(context, id, status)
      : redirectToPage(`${await profilePath(context, id)}/${status}`),
})

const activity = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/statuses/:status_id/activity',
  summary: 'The creation of a post, or a boost, for other servers',
  params: { id: param.id(), status_id: param.id() },
  handle: ({ id, status_id: status }, context) => showActivity(context, id, status),
})

const instanceActor = operation({
  ...DOCUMENT,
  path: '/actor',
  summary: 'The actor of this server itself, for other servers',
  params: {},
  handle: async (_, context) => sendDocument(context, await instanceActorObject(context), INSTANCE_AGE_S, false),
})

const instanceOutbox = operation({
  ...DOCUMENT,
  path: '/actor/outbox',
  summary: 'The public posts of this server itself: none',
  params: {},
  handle(_, context) {
    const id = `${instanceActorUri(context.config.publicUrl)}/outbox`
    return sendDocument(
      context,
      { id, type: 'OrderedCollection', totalItems: 0, orderedItems: [] },
      INSTANCE_AGE_S,
      false,
    )
  },
})

const emoji = operation({
  ...DOCUMENT,
  path: '/emojis/:id',
  summary: 'A custom emoji, for other servers',
  params: { id: param.id() },
  async handle({ id }, context) {
    const emojiRow = await context.database.one(findEmoji, { id })
    if (!emojiRow) throw new ApiError('routeNotFound')
    const tag = emojiTag({ ...emojiRow, updated_at: emojiRow.updated_at.toISOString() }, serverUrls(context))
    return sendDocument(context, tag, EMOJI_AGE_S, false)
  },
})

export const operations: readonly AnyOperation[] = [
  actor,
  note,
  activity,
  instanceActor,
  instanceOutbox,
  emoji,
  ...collectionOperations,
  ...featuredCollectionOperations,
  ...statusCollectionOperations,
  ...threadOperations,
]
