import { createHmac, randomBytes } from 'node:crypto'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { randomSecret } from '../../core/secret.ts'
import { hashSecret } from '../../core/secret.ts'

const findReusable = query(
  'auth/oauth/reusable_token',
  { application: c.id, user: c.nullable(c.id), scopes: c.texts },
  { id: c.id, seed: c.nullable(c.bytes), token_hash: c.bytes, created_at: c.timestamp },
)

const addToken = query(
  'auth/oauth/add_token',
  { token_hash: c.bytes, seed: c.nullable(c.bytes), application: c.id, user: c.nullable(c.id), scopes: c.texts },
  { id: c.id, created_at: c.timestamp },
)

/** Entity Token. */
export interface TokenEntity {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly scope: string
  /** UNIX time in seconds. */
  readonly created_at: number
}

export interface TokenRequest {
  readonly applicationId: Id
  /** Null for the application's own token. */
  readonly userId: Id | null
  readonly scopes: readonly string[]
}

const entity = (secret: string, scopes: readonly string[], createdAt: Date): TokenEntity => ({
  access_token: secret,
  token_type: 'Bearer',
  scope: scopes.join(' '),
  created_at: Math.floor(createdAt.getTime() / 1000),
})

/** An issued token. */
export interface IssuedToken {
  readonly id: Id
  readonly entity: TokenEntity
}

/** Creates a token. It is returned only here: the database stores its hash. */
export async function issueToken(database: Runner, request: TokenRequest): Promise<TokenEntity> {
  return (await store(database, request, randomSecret(), null)).entity
}

/**
 * Returns the application's token for this user and exactly these scopes, creating it if necessary.
 * Since only its hash is stored, the token is derived from a random seed, this server's secret and
 * the client secret, which the client sends with each request and of which only a hash is stored:
 * the database alone does not reveal a token.
 */
export async function issueRepeatableToken(
  database: Runner,
  request: TokenRequest,
  keys: { clientSecret: string; serverSecret: string },
): Promise<IssuedToken> {
  const scopes = [...request.scopes]
  const derive = (seed: Buffer): string =>
    createHmac('sha256', `token:${keys.serverSecret}:${keys.clientSecret}`).update(seed).digest('base64url')
  const known = await database.one(findReusable, { application: request.applicationId, user: request.userId, scopes })
  if (known?.seed) {
    const secret = derive(known.seed)
    if (hashSecret(secret).equals(known.token_hash))
      return { id: known.id, entity: entity(secret, request.scopes, known.created_at) }
  }
  const seed = randomBytes(32)
  return store(database, request, derive(seed), seed)
}

async function store(
  database: Runner,
  request: TokenRequest,
  secret: string,
  seed: Buffer | null,
): Promise<IssuedToken> {
  const stored = await database.one(addToken, {
    token_hash: hashSecret(secret),
    seed,
    application: request.applicationId,
    user: request.userId,
    scopes: [...request.scopes],
  })
  if (!stored) throw new Error('a token was not stored')
  return { id: stored.id, entity: entity(secret, request.scopes, stored.created_at) }
}
