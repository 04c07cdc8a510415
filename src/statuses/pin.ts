import { LIMITS } from '../core/limits.ts'
import { c, query } from '../platform/database/index.ts'
import { validationError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { findVisible } from './visible.ts'

const lockPins = query('statuses/lock_pins', { account: c.id }, { id: c.id })
const countPins = query('statuses/count_pins', { account: c.id }, { pins: c.integer })
const pin = query('statuses/pin', { account: c.id, status: c.id }, { id: c.id, events: c.events })
const unpin = query('statuses/unpin', { account: c.id, status: c.id }, { id: c.id, events: c.events })

export const pinStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/pin',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Pin an own status to the profile',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const { viewer, database } = context
    const status = await findVisible(context, viewer, id)
    if (!status) throw statusMissing()
    const errors: string[] = []
    if (status.reblog_of_id !== null) errors.push('A boost cannot be pinned')
    if (status.account_id !== viewer.id) errors.push("Someone else's post cannot be pinned")
    if (status.visibility === 'direct' || status.visibility === 'limited')
      errors.push('Posts that are only visible to mentioned users cannot be pinned')
    if (errors.length > 0) throw validationError(...errors)
    await database.transaction(async transaction => {
      await transaction.one(lockPins, { account: viewer.id })
      const counted = await transaction.one(countPins, { account: viewer.id })
      if (counted && counted.pins >= LIMITS.accounts.max_pinned_statuses)
        throw validationError('You have already pinned the maximum number of posts')
      if (!(await transaction.one(pin, { account: viewer.id, status: id }))) throw statusMissing()
    })
    return respondWithStatus(context, id)
  },
})

export const unpinStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unpin',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Unpin a status',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const { viewer, database } = context
    if (!(await findVisible(context, viewer, id))) throw statusMissing()
    await database.run(unpin, { account: viewer.id, status: id })
    return respondWithStatus(context, id)
  },
})
