import { c, query, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { enqueue } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { markSensitive, removeStatuses } from '../statuses/index.ts'
import type { AccountAction, StatusAction } from './action.ts'
import { changeAccountState } from './account_state.ts'
import { ownStatuses } from './own_statuses.ts'
import { requireRank, requirePermission } from './rights.ts'
import { withholdFiles } from './withhold_files.ts'
import { resolveReports, storeStrike, type Reason } from './strike.ts'

const reported = query('moderation/reported', { report: c.id, account: c.id }, { status_ids: c.ids })

const logRepeated = query(
  'moderation/log_repeated',
  { moderator: c.nullable(c.id), account: c.id, action: c.text },
  { entry: c.id },
)

const lockTarget = query('moderation/lock_target', { account: c.id, action: c.text }, { done_meanwhile: c.boolean })

/** @throws ApiError notFound for a report about another account */
async function reportedStatuses(transaction: Runner, report: Id, account: Id): Promise<readonly Id[]> {
  const row = await transaction.one(reported, { report, account })
  if (!row) throw new ApiError('notFound')
  return row.status_ids
}

/**
 * Takes action on an account: strike, effect of the action, log entry, notification and e-mail, in
 * one transaction. All open reports about the account are resolved, if the moderator manages
 * reports; a warning resolves only the report that led to it. The strike names the statuses of that
 * report. An account that is in that state already gets the strike and the entry as well, unless
 * another moderator takes the same action at the same moment: then it is theirs, and one strike.
 * @returns the id of the strike; undefined when it is the one of another moderator
 * @throws ApiError notFound; notAllowed when the moderator's role does not permit it; forbidden
 * when the login of an account without a user is to be disabled
 */
export const actOnAccount = (
  { database }: Pick<Services, 'database'>,
  account: Id,
  action: AccountAction,
  cause: Reason,
): Promise<Id | undefined> =>
  database.transaction(async transaction => {
    const { moderator, report } = cause
    const { managesReports } = await requirePermission(transaction, moderator, account, action)
    if (report && !managesReports) throw new ApiError('notAllowed')
    const statuses = report ? await reportedStatuses(transaction, report, account) : null
    const locked = await transaction.one(lockTarget, { account, action })
    // Before the action: suspended accounts are no longer notified.
    const stored =
      locked?.done_meanwhile === true ? undefined : await storeStrike(transaction, account, action, cause, statuses)
    if (action !== 'none') {
      if (stored !== undefined && !(await changeAccountState(transaction, moderator, account, action)))
        await transaction.run(logRepeated, { moderator, account, action })
      if (managesReports) await resolveReports(transaction, moderator, { account })
    } else if (report) await resolveReports(transaction, moderator, { report })
    return stored
  })

/**
 * Takes action on statuses of an account: deletes them, with a copy stored as evidence for a while,
 * or marks those with media or a link preview as sensitive. Strike, log entry, notification, e-mail
 * and the resolution of the report are one transaction.
 * @returns the id of the strike
 * @throws ApiError notFound when none of them belongs to the account, or there is nothing to mark;
 * notAllowed when the moderator's role does not permit it
 */
export const actOnStatuses = (
  { database }: Pick<Services, 'database'>,
  account: Id,
  action: StatusAction,
  statuses: readonly Id[],
  cause: Reason,
): Promise<Id> =>
  database.transaction(async transaction => {
    await requireRank(transaction, cause.moderator, account, ['manage_reports', 'manage_users'])
    const own = await transaction.run(ownStatuses, { account, ids: [...statuses] })
    const chosen = own
      .filter(one => action === 'delete_statuses' || (one.has_media && !one.sensitive))
      .map(({ id }) => id)
    if (chosen.length === 0) throw new ApiError('notFound')
    const stored = await storeStrike(transaction, account, action, cause, chosen)
    if (action === 'delete_statuses') {
      await removeStatuses(
        transaction,
        chosen.map(status => ({ author: account, status })),
      )
      await enqueue(transaction, withholdFiles, { account, statuses: chosen })
    } else await markSensitive(transaction, chosen)
    if (cause.report) await resolveReports(transaction, cause.moderator, { report: cause.report })
    return stored
  })
