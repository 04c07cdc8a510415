import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { readQuotePolicy } from './draft.ts'
import { findVisible } from './visible.ts'

const setQuotePolicy = query(
  'statuses/set_quote_policy',
  { author: c.id, status: c.id, policy: c.text },
  { id: c.id, events: c.events },
)

/** Not an edit: no version is created and nobody is notified. */
export const changeInteractionPolicy = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/statuses/:id/interaction_policy',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Change who may quote an own status',
  params: { id: STATUS_ID, quote_approval_policy: param.string({ optional: true }) },
  returns: 'Status',
  async handle({ id, quote_approval_policy: requested }, context) {
    const { viewer, database } = context
    const status = await findVisible(context, viewer, id)
    if (!status) throw statusMissing()
    if (status.account_id !== viewer.id) throw new ApiError('notAllowed')
    const policy = readQuotePolicy(requested, status.visibility, viewer)
    await database.run(setQuotePolicy, { author: viewer.id, status: id, policy })
    return respondWithStatus(context, id)
  },
})
