import type { Id } from '../../core/id.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'

/*
 * The secret of an authenticator app has to be read again to check a code, so it cannot be a hash. It is encrypted with a key of this server,
 * for its user. That key is derived from a secret in the table `secrets` of the same database: this protects where the table `users` is seen
 * alone (an export, a log of statements, a hole that reads one table), not against somebody who has the whole database or a dump of it.
 */

const PURPOSE = 'secret of a second factor'
/** Base32, as secrets were stored before, has no lower case. */
const PREFIX = 'aes:'

/** A secret as it is stored. */
export const encryptSecret = (serverSecret: string, user: Id, secret: string): string =>
  `${PREFIX}${encrypt(serverSecret, PURPOSE, user, secret).toString('base64')}`

/** Whether a stored secret is from before they were encrypted. */
export const isPlain = (stored: string): boolean => !stored.startsWith(PREFIX)

/** The secret, or undefined when it was not encrypted by this server for this user. */
export const decryptSecret = (serverSecret: string, user: Id, stored: string): string | undefined =>
  isPlain(stored) ? stored : decrypt(serverSecret, PURPOSE, user, Buffer.from(stored.slice(PREFIX.length), 'base64'))
