import { hashSecret, randomSecret } from '../../core/secret.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'

const findOwner = query('auth/owner_setup/has_owner', {}, { found: c.boolean })
const setLink = query(
  'auth/owner_setup/set_link',
  { token_hash: c.bytes, valid_seconds: c.integer },
  { expires_at: c.timestamp },
)

export const OWNER_SETUP_PATH = '/setup'
export const OWNER_LINK_HOURS = 24
const HOUR_SECONDS = 3600

/** Whether somebody owns this server: a user with a role that has every permission. */
export const hasOwner = async (runner: Runner): Promise<boolean> => (await runner.one(findOwner, {}))?.found === true

/**
 * Creates the link with which the owner's account is created in a browser; it invalidates earlier
 * links. Only its hash is stored. Undefined once there is an owner.
 */
export async function makeOwnerLink(runner: Runner, publicUrl: string): Promise<string | undefined> {
  if (await hasOwner(runner)) return undefined
  const token = randomSecret()
  await runner.one(setLink, { token_hash: hashSecret(token), valid_seconds: OWNER_LINK_HOURS * HOUR_SECONDS })
  return `${publicUrl}${OWNER_SETUP_PATH}?token=${token}`
}
