import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { ownStatuses } from './own_statuses.ts'
import { addReport } from './reports/index.ts'

/**
 * Creates a moderator's own report about statuses of an account, whatever their visibility, so that
 * they are handled like any reported statuses.
 * @returns the id of the report
 * @throws ApiError notFound when none of the statuses belongs to the account
 */
export const openReport = (
  { database }: Pick<Services, 'database'>,
  moderator: Id,
  account: Id,
  statuses: readonly Id[],
): Promise<Id> =>
  database.transaction(async transaction => {
    const own = await transaction.run(ownStatuses, { account, ids: [...statuses] })
    if (own.length === 0) throw new ApiError('notFound')
    const report = await transaction.one(addReport, {
      reporter: moderator,
      target: account,
      application: null,
      category: 'other',
      comment: '',
      statuses: own.map(({ id }) => id),
      collections: [],
      rules: null,
      forwarded: null,
      forwarded_to: [],
    })
    if (!report) throw new Error('the report was not stored')
    return report.id
  })
