import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { encryptSecret } from './stored_secret.ts'

const removeUnconfirmed = query('auth/two_factor/remove_unconfirmed', {}, {})
const findPlain = query('auth/two_factor/plain_secrets', {}, { id: c.id, otp_secret: c.text })
export const replaceSecret = query('auth/two_factor/replace_secret', { user: c.id, before: c.text, after: c.text }, {})

/**
 * Encrypts secrets that were stored in plain text, and removes secrets that were never confirmed.
 */
export const encryptOldSecrets = job<undefined, Services>(
  'two_factor.encrypt',
  () => undefined,
  async (_, { database, secrets }) => {
    await database.run(removeUnconfirmed, {})
    for (const { id, otp_secret: before } of await database.run(findPlain, {})) {
      await database.run(replaceSecret, { user: id, before, after: encryptSecret(secrets.cookieSecret, id, before) })
    }
  },
  { cron: '37 4 * * *' },
)
