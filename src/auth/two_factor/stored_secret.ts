import type { Id } from '../../core/id.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'

/**
 * Checking a code needs the secret of the authenticator app, so it cannot be stored as a hash. It
 * is encrypted for its user with a key derived from a secret in the table `secrets` of the same
 * database. This protects against access to the table `users` alone (an export, a statement log, an
 * injection that reads one table), not against access to the whole database or a dump.
 */

const PURPOSE = 'secret of a second factor'
/** Secrets stored in plain text are base32, which has no lower case. */
const PREFIX = 'aes:'

/** The stored form of a secret. */
export const encryptSecret = (serverSecret: string, user: Id, secret: string): string =>
  `${PREFIX}${encrypt(serverSecret, PURPOSE, user, secret).toString('base64')}`

/** Whether a stored secret is in plain text, from before encryption. */
export const isPlain = (stored: string): boolean => !stored.startsWith(PREFIX)

/** The secret; undefined if it was not encrypted by this server for this user. */
export const decryptSecret = (serverSecret: string, user: Id, stored: string): string | undefined =>
  isPlain(stored) ? stored : decrypt(serverSecret, PURPOSE, user, Buffer.from(stored.slice(PREFIX.length), 'base64'))
