import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { sentParams, settled } from './params.ts'

const findDue = query(
  'statuses/scheduled/due',
  { id: c.id },
  {
    account_id: c.id,
    user_id: c.nullable(c.id),
    application_id: c.nullable(c.id),
    params: sentParams,
    settled,
  },
)
const hold = query('statuses/scheduled/hold', { id: c.id }, { id: c.id })
const drop = query('statuses/scheduled/drop', { id: c.id }, { id: c.id })
const finish = query('statuses/scheduled/finish', { id: c.id, status: c.id }, {})

export type Due = Row<typeof findDue.columns>

/** A scheduled status that is due; undefined when it was deleted or moved. */
export const findDueSchedule = (runner: Runner, id: Id): Promise<Due | undefined> => runner.one(findDue, { id })

/** Whether it is still due; locks it until the transaction ends. */
export const lockSchedule = async (transaction: Runner, id: Id): Promise<boolean> =>
  (await transaction.one(hold, { id })) !== undefined

/** Records the status that it has become, in the same transaction. */
export async function finishSchedule(transaction: Runner, id: Id, status: Id): Promise<void> {
  await transaction.run(finish, { id, status })
}

/** Deletes one that cannot be published, unless it was deleted or moved meanwhile. */
export const dropSchedule = async (runner: Runner, id: Id): Promise<boolean> =>
  (await runner.one(drop, { id })) !== undefined
