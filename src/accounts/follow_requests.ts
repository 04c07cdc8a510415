import { c, query, type Database, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation, param } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import { job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { parseId } from '../core/id.ts'
import { changePair, renderRelationship } from './relationship.ts'

const lockRequest = query('accounts/lock_request', { viewer: c.id, requester: c.id }, { id: c.id })
const authorizeRequest = query(
  'accounts/authorize_request',
  { viewer: c.id, requester: c.id },
  { id: c.id, events: c.events },
)

const acceptable = query('accounts/acceptable_requests', { account: c.id }, { account_id: c.id })

/**
 * Turns a follow request into a follow. False if there is none. Call it in `changePair`, or after
 * `lockPair`.
 */
export async function acceptFollow(transaction: Runner, account: Id, requester: Id): Promise<boolean> {
  if (!(await transaction.one(lockRequest, { viewer: account, requester }))) return false
  return (await transaction.one(authorizeRequest, { viewer: account, requester })) !== undefined
}

const authorize = (database: Database, account: Id, requester: Id): Promise<boolean> =>
  changePair(database, account, requester, transaction => acceptFollow(transaction, account, requester))

function parseAccount(payload: unknown): { account: Id } {
  const given = typeof payload === 'object' && payload !== null && 'account' in payload ? payload.account : undefined
  const account = typeof given === 'string' ? parseId(given) : undefined
  if (account === undefined) throw new Error('the payload has no account')
  return { account }
}

/**
 * Accepts the follow requests of an account that was just unlocked, except those of silenced
 * accounts. Stops if the account is locked again.
 */
export const acceptRequests = job<{ account: Id }, Services>(
  'accounts.accept_requests',
  parseAccount,
  async ({ account }, { database }, { signal }) => {
    for (;;) {
      const waiting = await database.run(acceptable, { account })
      let accepted = 0
      for (const { account_id: requester } of waiting) {
        signal.throwIfAborted()
        if (await authorize(database, account, requester)) accepted += 1
      }
      if (accepted === 0) return
    }
  },
)

const authorizeOperation = operation({
  method: 'POST',
  path: '/api/v1/follow_requests/:account_id/authorize',
  auth: 'user',
  scopes: ['follow', 'write:follows'],
  params: { account_id: param.id() },
  returns: 'Relationship',
  summary: 'Accept a request to follow the caller',
  async handle({ account_id: requester }, context) {
    if (!(await authorize(context.database, context.viewer.id, requester))) throw new ApiError('notFound')
    return renderRelationship(context, context.viewer, requester)
  },
})

export const operations = [authorizeOperation]
