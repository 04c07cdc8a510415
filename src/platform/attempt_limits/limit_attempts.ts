import { c, query, type Database } from '../database/index.ts'

const recordAttempt = query(
  'platform/attempt_limits/record',
  { name: c.text, key: c.text, max: c.integer },
  { number: c.integer, hour: c.timestamp },
)
const withdrawAttempt = query('platform/attempt_limits/withdraw', { name: c.text, key: c.text, hour: c.timestamp }, {})

/** A limit on failed attempts within an hour. */
export interface AttemptLimit {
  /**
   * The subject of the limit: a user's second factor or current password; passwords sent to the
   * token endpoint, by login and by address.
   */
  readonly name: 'second_factor' | 'current_password' | 'password_of_login' | 'password_from_address'
  /** The user, login or address; each is counted separately. */
  readonly key: string
  readonly max: number
}

/** The outcome of an attempt. */
export type LimitedAttempt<T> =
  /** The limit was reached; nothing was checked. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'success'; readonly value: T }
  /** `isLast`: it reached the limit. */
  | { readonly outcome: 'failure'; readonly isLast: boolean }

interface Recorded {
  readonly limit: AttemptLimit
  readonly number: number
  readonly hour: Date
}

/** Longer keys (such as an invented e-mail address) are cut. */
const MAX_KEY_CHARACTERS = 320

const keyOf = (limit: AttemptLimit): string => limit.key.slice(0, MAX_KEY_CHARACTERS)

async function record(database: Database, limit: AttemptLimit): Promise<Recorded | undefined> {
  const { name, max } = limit
  const recorded = await database.one(recordAttempt, { name, key: keyOf(limit), max })
  return recorded && { limit, ...recorded }
}

async function undo(database: Database, recorded: readonly Recorded[]): Promise<void> {
  for (const { limit, hour } of recorded)
    await database.run(withdrawAttempt, { name: limit.name, key: keyOf(limit), hour })
}

/**
 * Checks a secret that could be guessed. The attempt is counted before the check, so that
 * simultaneous attempts cannot exceed the limits. Only failures stay counted: an attempt that
 * succeeds, throws, or is refused by another limit is withdrawn.
 * @param check returns undefined if the secret is wrong
 */
export async function limitAttempts<T>(
  database: Database,
  limits: readonly AttemptLimit[],
  check: () => Promise<T | undefined>,
): Promise<LimitedAttempt<T>> {
  const recorded: Recorded[] = []
  for (const limit of limits) {
    // Sequentially: two attempts that each hold the last place of one limit would both be refused
    // by the other.
    const attempt = await record(database, limit)
    if (!attempt) {
      await undo(database, recorded)
      return { outcome: 'refused' }
    }
    recorded.push(attempt)
  }
  let value: T | undefined
  try {
    value = await check()
  } catch (error) {
    await undo(database, recorded)
    throw error
  }
  if (value === undefined)
    return { outcome: 'failure', isLast: recorded.some(({ limit, number }) => number === limit.max) }
  await undo(database, recorded)
  return { outcome: 'success', value }
}
