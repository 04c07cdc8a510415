import { createHash } from 'node:crypto'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { revokeToken } from './revoke_tokens.ts'
import { hashSecret, randomSecret, sameSecret } from '../../core/secret.ts'

const addGrant = query(
  'auth/oauth/add_grant',
  {
    code_hash: c.bytes,
    application: c.id,
    user: c.id,
    redirect_uri: c.text,
    scopes: c.texts,
    code_challenge: c.nullable(c.text),
  },
  {},
)

const findGrantByCode = query(
  'auth/oauth/find_grant',
  { code_hash: c.bytes },
  {
    id: c.id,
    application_id: c.id,
    user_id: c.id,
    redirect_uri: c.text,
    scopes: c.texts,
    code_challenge: c.nullable(c.text),
    live: c.boolean,
    used: c.boolean,
  },
)

const useGrant = query('auth/oauth/use_grant', { grant: c.id }, { id: c.id })
const setGrantToken = query('auth/oauth/set_grant_token', { grant: c.id, token: c.id }, {})
const tokenOfGrant = query('auth/oauth/token_of_grant', { grant: c.id }, { id: c.id })

/** A user's grant to an application. */
export interface Granted {
  readonly applicationId: Id
  readonly userId: Id
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The PKCE code challenge (RFC 7636), method S256. */
  readonly codeChallenge: string | undefined
}

/** A stored grant, found by its code. */
export interface Grant extends Granted {
  readonly id: Id
  /** Neither used nor expired. */
  readonly live: boolean
  /** Whether a token was issued for it. */
  readonly used: boolean
}

/**
 * Creates a code for a grant, valid for one use within 600 seconds. Only its hash is stored. The
 * caller holds the session.
 */
export async function makeCode(transaction: Runner, granted: Granted): Promise<string> {
  const code = randomSecret()
  await transaction.run(addGrant, {
    code_hash: hashSecret(code),
    application: granted.applicationId,
    user: granted.userId,
    redirect_uri: granted.redirectUri,
    scopes: [...granted.scopes],
    code_challenge: granted.codeChallenge ?? null,
  })
  return code
}

export async function findGrant(database: Runner, code: string): Promise<Grant | undefined> {
  const row = await database.one(findGrantByCode, { code_hash: hashSecret(code) })
  return (
    row && {
      id: row.id,
      applicationId: row.application_id,
      userId: row.user_id,
      redirectUri: row.redirect_uri,
      scopes: row.scopes,
      codeChallenge: row.code_challenge ?? undefined,
      live: row.live,
      used: row.used,
    }
  )
}

/** Marks a grant as used; false if it was used already. */
export const takeGrant = async (database: Runner, grant: Id): Promise<boolean> =>
  (await database.one(useGrant, { grant })) !== undefined

/** Records the token that was issued for a grant. */
export async function recordIssued(database: Runner, grant: Id, token: Id): Promise<void> {
  await database.run(setGrantToken, { grant, token })
}

/**
 * Revokes the token that was made for a grant whose code was used twice (RFC 6749, section 4.1.2),
 * unless another grant gave the same token.
 */
export async function revokeIssued(database: Runner, grant: Id): Promise<void> {
  const token = await database.one(tokenOfGrant, { grant })
  if (token) await revokeToken(database, token.id)
}

/** Whether a verifier matches the challenge. A verifier without a challenge does not. */
export function verifies(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined || verifier === ''
  const digest = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url')
  return sameSecret(digest, challenge)
}
