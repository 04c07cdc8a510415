import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { markSensitive, removeStatus } from '../statuses/index.ts'
import type { AccountAction, StatusAction } from './action.ts'
import { changeAccountState } from './account_state.ts'
import { resolve, strike, type Reason } from './strike.ts'

const ownStatuses = query(
  'moderation/own_statuses',
  { account: c.id, ids: c.ids },
  { id: c.id, has_media: c.boolean, sensitive: c.boolean },
)

/**
 * Takes action on an account: strike, effect of the action, log entry, notification and e-mail, in
 * one transaction. All open reports about the account are resolved; a warning resolves only the
 * report that led to it.
 * @returns the id of the strike
 * @throws ApiError notFound
 */
export const actOnAccount = (
  { database }: Pick<Services, 'database'>,
  account: Id,
  action: AccountAction,
  cause: Reason,
): Promise<Id> =>
  database.transaction(async transaction => {
    // Before the action: suspended accounts are no longer notified.
    const made = await strike(transaction, account, action, cause)
    if (action !== 'none') {
      await changeAccountState(transaction, cause.moderator, account, action)
      await resolve(transaction, cause.moderator, { account })
    } else if (cause.report) await resolve(transaction, cause.moderator, { report: cause.report })
    return made
  })

/**
 * Takes action on statuses of an account: deletes them, with a copy stored as evidence for a while,
 * or marks those with media or a link preview as sensitive. Strike, log entry, notification, e-mail
 * and the resolution of the report are one transaction.
 * @returns the id of the strike
 * @throws ApiError notFound when none of them belongs to the account, or there is nothing to mark
 */
export const actOnStatuses = (
  { database }: Pick<Services, 'database'>,
  account: Id,
  action: StatusAction,
  statuses: readonly Id[],
  cause: Reason,
): Promise<Id> =>
  database.transaction(async transaction => {
    const own = await transaction.run(ownStatuses, { account, ids: [...statuses] })
    const chosen = own
      .filter(one => action === 'delete_statuses' || (one.has_media && !one.sensitive))
      .map(({ id }) => id)
    if (chosen.length === 0) throw new ApiError('notFound')
    const made = await strike(transaction, account, action, cause, chosen)
    if (action === 'delete_statuses') for (const id of chosen) await removeStatus(transaction, account, id)
    else await markSensitive(transaction, chosen)
    if (cause.report) await resolve(transaction, cause.moderator, { report: cause.report })
    return made
  })
