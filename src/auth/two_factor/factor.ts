import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { makeCodes } from './codes.ts'
import type { Services } from '../../platform/services.ts'
import { holdSession, type Session } from '../sessions/index.ts'
import { decryptSecret, encryptSecret } from './stored_secret.ts'
import { makeSecret, stepOf } from './totp.ts'

const readState = query(
  'auth/two_factor/state',
  { user: c.id },
  {
    email: c.text,
    enabled_at: c.nullable(c.timestamp),
    codes_left: c.integer,
    pending_secret: c.nullable(c.text),
    required: c.boolean,
  },
)
const begin = query('auth/two_factor/begin', { user: c.id, secret: c.text }, {})
const enable = query(
  'auth/two_factor/enable',
  { user: c.id, secret: c.text, step: c.bigint, hashes: c.texts },
  { enabled: c.boolean, events: c.events },
)
const disable = query('auth/two_factor/disable', { user: c.id }, { disabled: c.boolean, events: c.events })
const renew = query('auth/two_factor/renew_codes', { user: c.id, hashes: c.texts }, { id: c.id })

/**
 * A user's second factor:
 * none -> begun (a secret waits for its first code) -> on; begun again while on, the old secret
 * counts until the new one is confirmed;
 * on -> none, when the user or an operator switches it off.
 */

/** The state of a user's second factor; undefined if the user does not exist. */
export const findFactorState = (database: Database, user: Id) => database.one(readState, { user })

/** Whether the user has one-time codes. */
export const hasCodes = async (database: Database, user: Id): Promise<boolean> =>
  ((await findFactorState(database, user))?.enabled_at ?? null) !== null

type Parts = Pick<Services, 'database' | 'secrets'>

/** Creates a secret, which must be confirmed with one of its codes. */
export async function beginFactor({ database, secrets }: Parts, user: Id): Promise<void> {
  await database.run(begin, { user, secret: encryptSecret(secrets.cookieSecret, user, makeSecret()) })
}

/** The secret that waits for confirmation, with the user's address; undefined if none does. */
export async function findPendingSecret(
  { database, secrets }: Parts,
  user: Id,
): Promise<{ email: string; secret: string; stored: string } | undefined> {
  const state = await findFactorState(database, user)
  const stored = state?.pending_secret
  const secret = typeof stored === 'string' ? decryptSecret(secrets.cookieSecret, user, stored) : undefined
  return state && typeof stored === 'string' && secret !== undefined
    ? { email: state.email, secret, stored }
    : undefined
}

/**
 * Confirms the pending secret with one of its codes, and notifies the user by e-mail.
 * @returns the recovery codes, which cannot be read again; `wrong`: the code is wrong or no secret
 * is pending; `signed out`: the session was ended meanwhile, as by a reset of the password
 */
export async function confirmFactor(
  parts: Parts,
  session: Session | null,
  user: Id,
  code: string,
): Promise<string[] | 'wrong' | 'signed out'> {
  const pending = await findPendingSecret(parts, user)
  const step = pending && stepOf(pending.secret, code.replace(/\s/g, ''), Date.now())
  if (!pending || step === undefined) return 'wrong'
  const { codes, hashes } = makeCodes()
  return parts.database.transaction(async transaction => {
    if (!(await holdSession(transaction, session))) return 'signed out'
    const done = await transaction.one(enable, { user, secret: pending.stored, step: String(step), hashes })
    if (!done?.enabled) return 'wrong'
    await sendNotice(transaction, user, 'two_factor_enabled')
    return codes
  })
}

/**
 * Disables the second factor and notifies the user by e-mail. Succeeds also if there is none.
 * @returns false if the session was ended meanwhile
 */
export const disableFactor = (database: Database, session: Session | null, user: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    if (!(await holdSession(transaction, session))) return false
    const done = await transaction.one(disable, { user })
    if (done?.disabled) await sendNotice(transaction, user, 'two_factor_disabled')
    return true
  })

/**
 * Replaces the recovery codes and notifies the user by e-mail.
 * @returns `none`: there is no second factor; `signed out`: the session was ended meanwhile
 */
export async function renewCodes(
  database: Database,
  session: Session | null,
  user: Id,
): Promise<string[] | 'none' | 'signed out'> {
  const { codes, hashes } = makeCodes()
  return database.transaction(async transaction => {
    if (!(await holdSession(transaction, session))) return 'signed out'
    if (!(await transaction.one(renew, { user, hashes }))) return 'none'
    await sendNotice(transaction, user, 'recovery_codes_changed')
    return codes
  })
}
