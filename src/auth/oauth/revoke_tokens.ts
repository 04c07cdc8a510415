import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

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

/** Revokes all grants of a user to an application. */
export async function revokeGrants(database: Runner, user: Id, application: Id): Promise<void> {
  await database.run(revokeApplication, { user, application })
}

/** Revokes all tokens, codes and browser sessions of a user, as after a password reset. */
export async function revokeAll(database: Runner, user: Id): Promise<void> {
  await database.run(revokeUser, { user })
}
