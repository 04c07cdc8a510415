import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { createSemaphore } from '../../core/semaphore.ts'

/**
 * 19 MiB and two passes on one thread: the first choice of OWASP's cheat sheet on password storage
 * for argon2id.
 */
const COST = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Each takes a thread of libuv's pool of four for some 20 ms, and that pool also reads files. */
const MAX_AT_ONCE = 2
/** Longer queues, which would take more than about a second, are rejected. */
const MAX_WAITING = 100

const semaphore = createSemaphore(MAX_AT_ONCE, MAX_WAITING)

/**
 * The argon2id hash of a password, with its salt and cost. @throws ApiError unavailable when too
 * many are waiting
 */
export const hashPassword = (password: string): Promise<string> => semaphore.run(() => argon2.hash(password, COST))

let dummyHash: Promise<string> | undefined

/**
 * Whether a password matches the hash. Without a hash it takes as long and returns false, so that
 * the time does not reveal whether a user exists. @throws ApiError unavailable when too many are
 * waiting
 */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  const known = hash?.startsWith('$argon2') === true
  const compared = known ? hash : await (dummyHash ??= argon2.hash(randomBytes(16), COST))
  const matches = await semaphore.run(() => argon2.verify(compared, password))
  return known && matches
}
