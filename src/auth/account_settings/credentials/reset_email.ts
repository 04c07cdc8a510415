import { parseEmail } from '../../sign_up/index.ts'
import { c, query } from '../../../platform/database/index.ts'
import { job } from '../../../platform/jobs/index.ts'
import { sendFromJob } from '../../../platform/mail/index.ts'
import { composeEmail } from '../../../platform/mail/messages/index.ts'
import { randomSecret } from '../../../core/secret.ts'
import { hashSecret } from '../../../core/secret.ts'
import type { Services } from '../../../platform/services.ts'

const findResettable = query('auth/account_settings/credentials/find_resettable', { email: c.text }, { id: c.id })
const startReset = query(
  'auth/account_settings/credentials/start_reset',
  { user: c.id, token_hash: c.bytes },
  {
    email: c.text,
    locale: c.nullable(c.text),
    username: c.text,
    previous_hash: c.nullable(c.bytes),
    previous_sent_at: c.nullable(c.timestamp),
  },
)
const restoreReset = query(
  'auth/account_settings/credentials/restore_reset',
  { user: c.id, token_hash: c.bytes, previous_hash: c.nullable(c.bytes), previous_sent_at: c.nullable(c.timestamp) },
  {},
)

/**
 * Sends the password reset link if the address belongs to a user. The token is created in the job,
 * because only its hash is stored.
 */
export const sendReset = job<{ email: string }, Services>(
  'credentials.send_reset',
  parseEmail,
  async ({ email }, services) => {
    const user = (await services.database.one(findResettable, { email }))?.id
    if (user === undefined) return
    const token = randomSecret()
    const token_hash = hashSecret(token)
    const row = await services.database.one(startReset, { user, token_hash })
    if (!row) return
    const { previous_hash, previous_sent_at } = row
    const link = `${services.config.publicUrl}/auth/password/edit?reset_password_token=${token}`
    try {
      await sendFromJob(services, composeEmail(services, 'reset_password', row, link))
    } catch (error) {
      // The next attempt may be hours later, and a link that has arrived is still of use.
      await services.database.run(restoreReset, { user, token_hash, previous_hash, previous_sent_at })
      throw error
    }
  },
)
