import type { Id } from '../core/id.ts'
import { c, query, type Database } from '../platform/database/index.ts'
import { operation } from '../platform/http/operation.ts'
import { respondWithStatus, STATUS_ID } from './status_response.ts'

const insertBookmark = query('statuses/bookmark', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })
const deleteBookmark = query('statuses/unbookmark', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })

/**
 * Bookmarks a status, or the one that a boost refers to.
 * @returns its id; undefined when the viewer cannot see it
 */
export const bookmark = async (database: Database, viewer: Id, status: Id): Promise<Id | undefined> =>
  (await database.one(insertBookmark, { viewer, status }))?.id

export const unbookmark = async (database: Database, viewer: Id, status: Id): Promise<Id | undefined> =>
  (await database.one(deleteBookmark, { viewer, status }))?.id

/** Idempotent. Nobody else can see it. */
export const bookmarkStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/bookmark',
  auth: 'user',
  scopes: ['write:bookmarks'],
  summary: 'Add a status to the bookmarks',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const bookmarked = await bookmark(context.database, context.viewer.id, id)
    return respondWithStatus(context, bookmarked)
  },
})

export const unbookmarkStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unbookmark',
  auth: 'user',
  scopes: ['write:bookmarks'],
  summary: 'Remove a status from the bookmarks',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const undone = await unbookmark(context.database, context.viewer.id, id)
    return respondWithStatus(context, undone, { unseen: true })
  },
})
