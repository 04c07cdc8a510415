import { c, query } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { operation } from '../http/operation.ts'
import { param } from '../http/param.ts'
import { answerStatus, statusMissing } from './answer_status.ts'

const favourite = query(
  'statuses/favourite',
  { viewer: c.id, status: c.id },
  { id: c.id, blocked: c.boolean, events: c.events },
)
const unfavourite = query('statuses/unfavourite', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })

/** Twice is the same as once. */
export const favouriteStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/favourite',
  auth: 'user',
  scopes: ['write:favourites'],
  summary: 'Mark a status as a favourite',
  params: { id: param.id() },
  returns: 'Status',
  async handle({ id }, context) {
    const liked = await context.database.one(favourite, { viewer: context.viewer.id, status: id })
    if (!liked) throw statusMissing()
    if (liked.blocked) throw new Failure('notAllowed')
    return answerStatus(context, liked.id)
  },
})

export const unfavouriteStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unfavourite',
  auth: 'user',
  scopes: ['write:favourites'],
  summary: 'A status is no favourite any more',
  params: { id: param.id() },
  returns: 'Status',
  async handle({ id }, context) {
    const undone = await context.database.one(unfavourite, { viewer: context.viewer.id, status: id })
    return answerStatus(context, undone?.id, { unseen: true })
  },
})
