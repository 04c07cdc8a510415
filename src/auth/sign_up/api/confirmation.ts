import { c, query } from '../../../platform/database/index.ts'
import { parseId, type Id } from '../../../core/id.ts'
import { job } from '../../../platform/jobs/index.ts'
import { sendFromJob } from '../../../platform/mail/index.ts'
import { composeEmail } from '../../../platform/mail/messages/index.ts'
import { randomSecret } from '../../../core/secret.ts'
import { hashSecret } from '../../../core/secret.ts'
import type { Services } from '../../../platform/services.ts'

const renewConfirmation = query(
  'auth/sign_up/renew_confirmation',
  { user: c.id, token_hash: c.bytes },
  { email: c.text, locale: c.nullable(c.text), username: c.text, confirmed: c.boolean, by_application: c.boolean },
)

/** The payload of jobs about one user. */
export function parseUser(payload: unknown): { user: Id } {
  const value = typeof payload === 'object' && payload !== null && 'user' in payload ? payload.user : undefined
  const user = typeof value === 'string' ? parseId(value) : undefined
  if (user === undefined) throw new Error('the payload has no user')
  return { user }
}

/**
 * Sends a user the confirmation link, for the sign-up address or a new one. Each e-mail has its own
 * token, which replaces the previous one. The token is created here and not at enqueueing, because
 * only its hash is stored.
 */
export const sendConfirmation = job<{ user: Id }, Services>(
  'accounts.send_confirmation',
  parseUser,
  async ({ user }, services) => {
    const token = randomSecret()
    const row = await services.database.one(renewConfirmation, { user, token_hash: hashSecret(token) })
    if (!row) return
    const link = new URL('/auth/confirmation', services.config.publicUrl)
    link.searchParams.set('confirmation_token', token)
    if (row.by_application && !row.confirmed) link.searchParams.set('redirect_to_app', 'true')
    const kind = row.confirmed ? 'reconfirmation' : 'confirmation'
    await sendFromJob(services, composeEmail(services, kind, row, link.href, { email: row.email }))
  },
)
