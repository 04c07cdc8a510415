import { c, query, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { enqueue } from '../platform/jobs/index.ts'
import { respondWithStatus } from './status_response.ts'
import { removeMedia } from './purge.ts'

const findOwn = query('statuses/own', { author: c.id, status: c.id }, { id: c.id, text: c.text })
const remove = query(
  'statuses/delete',
  { authors: c.ids, statuses: c.ids, keep_media: c.boolean },
  { id: c.id, queued: c.integer, events: c.events },
)

/**
 * Hides a status of its author everywhere, with all boosts of it; a job deletes it later. Its
 * attachments stay with it unless they are to be released for the author's next status. Undefined
 * when there is no such status.
 */
export const removeStatus = (
  transaction: Runner,
  author: Id,
  status: Id,
  { freesMedia = false } = {},
): Promise<{ id: Id } | undefined> =>
  transaction.one(remove, { authors: [author], statuses: [status], keep_media: freesMedia })

/** As `removeStatus`, of several. */
export async function removeStatuses(
  transaction: Runner,
  pairs: readonly { readonly author: Id; readonly status: Id }[],
): Promise<void> {
  await transaction.run(remove, {
    authors: pairs.map(({ author }) => author),
    statuses: pairs.map(({ status }) => status),
    keep_media: false,
  })
}

export const deleteStatus = operation({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Delete an own status; the response has its text and media for a new draft',
  params: {
    id: param.id(),
    delete_media: param.boolean({ default: false, description: 'also its files, which are otherwise kept for a day' }),
  },
  returns: 'Status',
  async handle({ id, delete_media: deleteMedia }, context) {
    const { viewer, database } = context
    const own = await database.one(findOwn, { author: viewer.id, status: id })
    if (!own) throw new ApiError('notFound')
    const response = await respondWithStatus(context, id, { text: own.text, anyQuote: true, unseen: true })
    await database.transaction(async transaction => {
      const removed = await removeStatus(transaction, viewer.id, id, { freesMedia: !deleteMedia })
      if (!removed) throw new ApiError('notFound')
      if (deleteMedia) await enqueue(transaction, removeMedia, { status_id: id })
    })
    return response
  },
})
