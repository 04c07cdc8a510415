import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { cookie, type Request } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { randomSecret } from '../../core/secret.ts'
import { hashSecret } from '../../core/secret.ts'

const insertSession = query(
  'auth/sessions/start',
  { session_hash: c.bytes, user: c.id, user_agent: c.text, ip: c.inet, limit: c.integer },
  { id: c.id },
)
const findByHash = query(
  'auth/sessions/find',
  { session_hash: c.bytes, retention: c.float },
  { id: c.id, user_id: c.id, stale: c.boolean },
)
const touch = query('auth/sessions/touch', { session: c.id, ip: c.inet }, {})
const remove = query('auth/sessions/finish', { session: c.id }, {})
const removeOthers = query('auth/sessions/finish_others', { user: c.id, session: c.id }, {})

const removeOf = query('auth/sessions/finish_of', { user: c.id, session: c.id }, { id: c.id })
const lock = query('auth/sessions/lock_user', { user: c.id }, { id: c.id })
const findLive = query('auth/sessions/is_live', { session: c.id }, { id: c.id })
const findValidToken = query('auth/sessions/is_valid_token', { token: c.id }, { id: c.id })
const list = query(
  'auth/sessions/list',
  { user: c.id },
  { id: c.id, user_agent: c.text, ip: c.nullable(c.text), created_at: c.timestamp, updated_at: c.timestamp },
)

/** The cookie with the secret of a session. */
export const SESSION_COOKIE = '_session_id'

const MAX_USER_AGENT_CHARACTERS = 500

/** The User-Agent of a browser, cleaned for storage. */
export const cleanUserAgent = (text: string): string =>
  text.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed().replaceAll('\0', '')

type Stored = Pick<Services, 'config'> & { readonly database: Runner }

/** A signed-in browser. Only the hash of its secret is stored. */
export interface Session {
  readonly id: Id
  readonly userId: Id
  /** The value of the cookie. */
  readonly secret: string
}

/** Signs a browser in. The user's oldest sessions beyond the limit are removed. */
export async function startSession(
  { config, database }: Stored,
  userId: Id,
  browser: { userAgent: string; address: string },
): Promise<Session> {
  const secret = randomSecret()
  const stored = await database.one(insertSession, {
    session_hash: hashSecret(secret),
    user: userId,
    user_agent: cleanUserAgent(browser.userAgent),
    ip: browser.address,
    limit: config.maxSessions,
  })
  if (!stored) throw new Error('a session was not stored')
  return { id: stored.id, userId, secret }
}

/**
 * The session with this secret, or undefined; its use is recorded once a day, or within a tenth of
 * the retention.
 */
export async function findSession(
  { config, database }: Stored,
  secret: string,
  address: string,
): Promise<Session | undefined> {
  const found = await database.one(findByHash, {
    session_hash: hashSecret(secret),
    retention: config.sessionRetentionSeconds,
  })
  if (!found) return undefined
  if (found.stale) await database.run(touch, { session: found.id, ip: address })
  return { id: found.id, userId: found.user_id, secret }
}

/** The user signed in to the browser that sent the request; undefined if there is none. */
export async function findBrowserUser(services: Stored, request: Request): Promise<Id | undefined> {
  const secret = cookie(request, SESSION_COOKIE)
  return secret === undefined ? undefined : (await findSession(services, secret, request.address))?.userId
}

/**
 * Locks a user for the rest of a transaction that gives access to the account, or ends it, before
 * its other statements. Otherwise what is given at the moment of a password reset would outlive it.
 */
export async function lockUser(transaction: Runner, user: Id): Promise<void> {
  await transaction.run(lock, { user })
}

/**
 * Locks the user of a session; returns whether the session has not been ended meanwhile. False for
 * none.
 */
export async function holdSession(transaction: Runner, session: Session | null): Promise<boolean> {
  if (!session) return false
  await lockUser(transaction, session.userId)
  return (await transaction.one(findLive, { session: session.id })) !== undefined
}

/** Locks the user of a token; returns whether the token has not been revoked meanwhile. */
export async function holdToken(transaction: Runner, user: Id, token: Id): Promise<boolean> {
  await lockUser(transaction, user)
  return (await transaction.one(findValidToken, { token })) !== undefined
}

export async function endSession(database: Runner, session: Session): Promise<void> {
  await database.run(remove, { session: session.id })
}

/** A user's sessions, most recently used first. */
export const listSessions = (database: Runner, userId: Id) => database.run(list, { user: userId })

/** Ends a session of a user; returns whether it existed. */
export const endSessionOf = async (database: Runner, userId: Id, session: Id): Promise<boolean> =>
  (await database.one(removeOf, { user: userId, session })) !== undefined

/** Ends all other sessions of the user, as after a change of password. */
export async function endOtherSessions(database: Runner, session: Session): Promise<void> {
  await database.run(removeOthers, { user: session.userId, session: session.id })
}
