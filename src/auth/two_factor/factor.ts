import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { makeCodes } from './codes.ts'
import type { Services } from '../../platform/services.ts'
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

/*
 * A user's second factor:
 *   none -> begun (a secret waits for its first code) -> on; begun again while on, the old secret counts until the new one is confirmed;
 *   on -> none, when the user or an operator switches it off.
 */

/** What a user's second factor is like; undefined when the user is gone. */
export const findFactorState = (database: Database, user: Id) => database.one(readState, { user })

type Parts = Pick<Services, 'database' | 'secrets'>

/** Makes a secret that is to be confirmed by a code of it. */
export async function beginFactor({ database, secrets }: Parts, user: Id): Promise<void> {
  await database.run(begin, { user, secret: encryptSecret(secrets.cookieSecret, user, makeSecret()) })
}

/** The secret that is to be confirmed, with the user's address; undefined when none waits. */
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
 * Confirms the secret that waits, by a code of it. The user is told by letter.
 * @returns the recovery codes, which nobody can read again; undefined when the code is wrong or nothing waits
 */
export async function confirmFactor(
  parts: Parts,
  user: Id,
  code: string,
  nowMs: number,
): Promise<string[] | undefined> {
  const pending = await findPendingSecret(parts, user)
  const step = pending && stepOf(pending.secret, code.replace(/\s/g, ''), nowMs)
  if (!pending || step === undefined) return undefined
  const { codes, hashes } = makeCodes()
  return parts.database.transaction(async transaction => {
    const done = await transaction.one(enable, { user, secret: pending.stored, step: String(step), hashes })
    if (!done?.enabled) return undefined
    await sendNotice(transaction, user, 'two_factor_enabled')
    return codes
  })
}

/** Switches the second factor off; the user is told by letter. That there is none is as good. */
export async function dropFactor(database: Database, user: Id): Promise<void> {
  await database.transaction(async transaction => {
    const done = await transaction.one(disable, { user })
    if (done?.disabled) await sendNotice(transaction, user, 'two_factor_disabled')
  })
}

/** New recovery codes instead of those from before, of which the user is told by letter; undefined without a second factor. */
export async function renewCodes(database: Database, user: Id): Promise<string[] | undefined> {
  const { codes, hashes } = makeCodes()
  return database.transaction(async transaction => {
    if (!(await transaction.one(renew, { user, hashes }))) return undefined
    await sendNotice(transaction, user, 'recovery_codes_changed')
    return codes
  })
}
