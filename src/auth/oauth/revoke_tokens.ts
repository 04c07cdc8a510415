import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { lockUser } from '../sessions/index.ts'

const revokeOne = query('auth/oauth/revoke_token', { token: c.id }, { events: c.events })
const revokeApplication = query(
  'auth/oauth/revoke_application',
  { user: c.id, application: c.id },
  { events: c.events },
)
const revokeUser = query('auth/oauth/revoke_user', { user: c.id }, { events: c.events })

/** Revokes a token and ends its push subscription and streams. Repeating it changes nothing. */
export async function revokeToken(database: Runner, token: Id): Promise<void> {
  await database.run(revokeOne, { token })
}

/** Revokes all grants of a user to an application, also those that are being given. */
export async function revokeGrants(transaction: Runner, user: Id, application: Id): Promise<void> {
  await lockUser(transaction, user)
  await transaction.run(revokeApplication, { user, application })
}

/**
 * Revokes all tokens, codes and browser sessions of a user, as after a password reset, also those
 * that are being given.
 */
export async function revokeAll(transaction: Runner, user: Id): Promise<void> {
  await lockUser(transaction, user)
  await transaction.run(revokeUser, { user })
}
