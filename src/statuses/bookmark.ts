import { c, query } from '../platform/database/index.ts'
import { operation } from '../platform/http/operation.ts'
import { answerStatus, STATUS_ID } from './answer_status.ts'

const bookmark = query('statuses/bookmark', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })
const unbookmark = query('statuses/unbookmark', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })

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
    const bookmarked = await context.database.one(bookmark, { viewer: context.viewer.id, status: id })
    return answerStatus(context, bookmarked?.id)
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
    const undone = await context.database.one(unbookmark, { viewer: context.viewer.id, status: id })
    return answerStatus(context, undone?.id, { unseen: true })
  },
})
