import { c, query } from '../platform/database/index.ts'
import { ApiError, validationError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { defaultVisibility } from '../accounts/index.ts'

const reblog = query(
  'statuses/reblog',
  { viewer: c.id, status: c.id, visibility: c.nullable(c.visibility) },
  { id: c.nullable(c.id), allowed: c.boolean, lacks_visibility: c.boolean, events: c.events },
)
const unreblog = query('statuses/unreblog', { viewer: c.id, status: c.id }, { id: c.id, events: c.events })

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct', 'limited'] as const

/**
 * Concurrent boosts by the same account wait for each other; more of them in a row are a fault of
 * the client.
 */
const MAX_ATTEMPTS = 3

/** Idempotent. */
export const reblogStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/reblog',
  auth: 'user',
  scopes: ['write:statuses'],
  budget: 'statuses',
  manualBudget: true,
  summary: 'Boost a status',
  params: { id: STATUS_ID, visibility: param.enumeration(VISIBILITIES, { optional: true, fallback: null }) },
  returns: 'Status',
  async handle({ id, visibility }, context) {
    const { viewer, budget } = context
    // Boosts are not counted, but their responses show the remaining budget.
    await budget.exhausted()
    return respondWithStatus(
      context,
      await boost(context, viewer, id, visibility === undefined ? defaultVisibility(viewer) : visibility),
    )
  },
})

/** @param visibility null is a word that is unknown, which matters only for some new boosts */
async function boost(
  { database }: Services,
  viewer: Viewer,
  status: Id,
  visibility: (typeof VISIBILITIES)[number] | null,
): Promise<Id> {
  const isReserved = visibility === 'direct' || visibility === 'limited'
  const usable = isReserved ? null : visibility
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await database.one(reblog, { viewer: viewer.id, status, visibility: usable })
    if (!row) throw statusMissing()
    if (!row.allowed) throw new ApiError('notAllowed')
    if (row.id !== null) return row.id
    if (row.lacks_visibility)
      throw validationError(`Visibility ${isReserved ? 'is reserved' : 'is not included in the list'}`)
  }
  throw new ApiError('unavailable')
}

export const unreblogStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unreblog',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Undo a boost',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const undone = await context.database.one(unreblog, { viewer: context.viewer.id, status: id })
    return respondWithStatus(context, undone?.id, { unseen: true })
  },
})
