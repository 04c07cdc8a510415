import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { hashSecret } from '../../core/secret.ts'
import { limitAttempts } from '../../platform/attempt_limits/index.ts'
import type { Services } from '../../platform/services.ts'
import { replaceSecret } from './encrypt_old.ts'
import { decryptSecret, encryptSecret, isPlain } from './stored_secret.ts'
import { stepOf } from './totp.ts'

const findFactor = query(
  'auth/two_factor/find_factor',
  { user: c.id },
  { otp_secret: c.nullable(c.text), otp_last_step: c.nullable(c.bigint), otp_backup_code_hashes: c.texts },
)
const useStep = query('auth/two_factor/use_step', { user: c.id, step: c.bigint }, {})
const useBackupCode = query('auth/two_factor/use_backup_code', { user: c.id, hash: c.text }, {})

const MAX_FAILURES_PER_HOUR = 10

/** How long after the password the code is accepted. */
export const PENDING_MS = 10 * 60 * 1000

/**
 * The stored form of a recovery code: its SHA-256 in hexadecimal. Codes are random, so no slow hash
 * is needed.
 */
export const hashBackupCode = (code: string): string =>
  hashSecret(code.replace(/\s/g, '').toLowerCase()).toString('hex')

/** `locked`: wrong, and the last attempt checked in this hour; `too many`: not checked. */
type Checked = 'right' | 'wrong' | 'locked' | 'too many'

/**
 * Checks a code of an authenticator app, which is valid once, or a recovery code, which is used up.
 * After ten failures within an hour no code is accepted; `locked` is returned once an hour.
 */
export async function checkSecondFactor(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  user: Id,
  code: string,
  nowMs: number,
): Promise<Checked> {
  const limit = { name: 'second_factor', key: user, max: MAX_FAILURES_PER_HOUR } as const
  const attempt = await limitAttempts(database, [limit], async () =>
    (await takeCode(database, secrets.cookieSecret, user, code, nowMs)) ? true : undefined,
  )
  if (attempt.outcome === 'success') return 'right'
  if (attempt.outcome === 'refused') return 'too many'
  return attempt.isLast ? 'locked' : 'wrong'
}

/** Uses up a code; false if it is wrong or was used before. */
function takeCode(database: Database, serverSecret: string, user: Id, code: string, nowMs: number): Promise<boolean> {
  return database.transaction(async transaction => {
    const factor = await transaction.one(findFactor, { user })
    if (!factor) return false
    const { otp_secret: stored } = factor
    const secret = stored === null ? undefined : decryptSecret(serverSecret, user, stored)
    const step = secret === undefined ? undefined : stepOf(secret, code.replace(/\s/g, ''), nowMs)
    if (step !== undefined && step > Number(factor.otp_last_step ?? 0)) {
      if (stored !== null && secret !== undefined && isPlain(stored)) {
        const after = encryptSecret(serverSecret, user, secret)
        await transaction.run(replaceSecret, { user, before: stored, after })
      }
      await transaction.run(useStep, { user, step: String(step) })
      return true
    }
    const hash = hashBackupCode(code)
    if (!factor.otp_backup_code_hashes.includes(hash)) return false
    await transaction.run(useBackupCode, { user, hash })
    return true
  })
}
