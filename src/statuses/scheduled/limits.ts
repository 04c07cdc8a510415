import { c, query, type Runner } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'

const MAX_COUNT = 300
const MAX_A_DAY = 25

const lock = query('statuses/scheduled/lock', { account: c.id }, { id: c.id })
const count = query(
  'statuses/scheduled/count',
  { account: c.id, at: c.timestamp, moved: c.nullable(c.id) },
  { total: c.integer, of_day: c.integer },
)

/**
 * Enforces the limits of scheduled statuses until the end of the transaction.
 * @param moved the one that gets another time
 * @throws ApiError when one more at this time would exceed a limit
 */
export async function requireRoom(transaction: Runner, account: Id, at: Date, moved: Id | null): Promise<void> {
  await transaction.one(lock, { account })
  const counted = await transaction.one(count, { account, at, moved })
  if (!counted) return
  const errors: string[] = []
  if (counted.total >= MAX_COUNT) errors.push(`You have exceeded the limit of ${MAX_COUNT} scheduled posts`)
  if (counted.of_day >= MAX_A_DAY) errors.push(`You have exceeded the limit of ${MAX_A_DAY} scheduled posts for today`)
  if (errors.length > 0) throw validationError(...errors)
}
