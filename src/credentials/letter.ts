import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { composeLetter } from '../letters/index.ts'
import { randomSecret } from '../core/secret.ts'
import { hashSecret } from '../core/secret.ts'
import type { Services } from '../services.ts'

const startReset = query(
  'credentials/start_reset',
  { user: c.id, token_hash: c.bytes },
  { email: c.text, locale: c.nullable(c.text), username: c.text },
)

function parseUser(payload: unknown): { user: Id } {
  const given = typeof payload === 'object' && payload !== null && 'user' in payload ? payload.user : undefined
  const user = typeof given === 'string' ? parseId(given) : undefined
  if (user === undefined) throw new Error('the payload names no user')
  return { user }
}

/** Sends a user the link that a new password is set with. Its token is made here, because only the hash of it is stored. */
export const sendReset = job<{ user: Id }, Services>(
  'credentials.send_reset',
  parseUser,
  async ({ user }, services) => {
    const token = randomSecret()
    const row = await services.database.one(startReset, { user, token_hash: hashSecret(token) })
    if (!row) return
    const link = `${services.config.publicUrl}/auth/password/edit?reset_password_token=${token}`
    await services.mail.send(composeLetter(services, 'reset_password', row, link))
  },
)
