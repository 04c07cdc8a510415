import { authenticateClient, type Credentials } from './apps/index.ts'
import { issueRepeatableToken, type IssuedToken, type TokenEntity, type TokenRequest } from './issue.ts'
import { lockUser } from '../sessions/index.ts'
import type { Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { checkGuardedLogin, holdLogin } from '../sign_in/index.ts'
import { findGrant, recordIssued, revokeIssued, takeGrant, verifies } from './grant.ts'
import { OAuthError, missingParameter } from './oauth_error.ts'
import { requestedScopes } from './scope.ts'

/** The parameters of a token request. */
export interface Exchange {
  readonly credentials: Credentials | undefined
  readonly code: string | undefined
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  readonly scope: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  /** The client's IP address. */
  readonly address: string
}

type Exchanged = Promise<TokenEntity | OAuthError>

const isMissing = (text: string | undefined): text is undefined | '' => text === undefined || text === ''

function issue(services: Services, database: Runner, request: TokenRequest, exchange: Exchange): Promise<IssuedToken> {
  const keys = {
    serverSecret: services.secrets.cookieSecret,
    clientSecret: exchange.credentials?.clientSecret ?? '',
  }
  return issueRepeatableToken(database, request, keys)
}

/**
 * Exchanges a code for the user's token (RFC 6749, section 4.1.3, with PKCE). The granted scopes
 * apply, whatever the request asks for. A code that is used twice has leaked, so the token that was
 * made for it is revoked (section 4.1.2).
 */
export async function exchangeCode(services: Services, exchange: Exchange): Exchanged {
  const { code, redirectUri, codeVerifier } = exchange
  if (isMissing(code)) return missingParameter('code')
  const grant = await findGrant(services.database, code)
  if (grant?.codeChallenge !== undefined && isMissing(codeVerifier)) return missingParameter('code_verifier')
  if (isMissing(redirectUri)) return missingParameter('redirect_uri')
  const client = await authenticateClient(services.database, exchange.credentials)
  if (!client) return new OAuthError('invalid_client')
  const refused = new OAuthError('invalid_grant')
  if (!grant || grant.applicationId !== client.id || grant.redirectUri !== redirectUri) return refused
  if (!verifies(grant.codeChallenge, codeVerifier) || (!grant.live && !grant.used)) return refused
  return services.database.transaction(async transaction => {
    await lockUser(transaction, grant.userId)
    if (!(await takeGrant(transaction, grant.id))) {
      await revokeIssued(transaction, grant.id)
      return refused
    }
    const { id, entity } = await issue(services, transaction, grant, exchange)
    await recordIssued(transaction, grant.id, id)
    return entity
  })
}

/** Issues the application's own token (RFC 6749, section 4.4). */
export async function exchangeCredentials(services: Services, exchange: Exchange): Exchanged {
  const client = await authenticateClient(services.database, exchange.credentials)
  if (!client) return new OAuthError('invalid_client')
  const scopes = requestedScopes(exchange.scope, client.scopes)
  if (!scopes) return new OAuthError('invalid_scope')
  return (await issue(services, services.database, { applicationId: client.id, userId: null, scopes }, exchange)).entity
}

/**
 * Exchanges address and password for a user's token (RFC 6749, section 4.3), for scripts. Only for
 * users who can use the token, and not for users with a second factor, which it would bypass.
 */
export async function exchangePassword(services: Services, exchange: Exchange): Exchanged {
  const { username, password } = exchange
  if (isMissing(username)) return missingParameter('username')
  if (isMissing(password)) return missingParameter('password')
  const client = await authenticateClient(services.database, exchange.credentials)
  if (!client) return new OAuthError('invalid_client')
  const login = await checkGuardedLogin(services, exchange.address, username, password)
  const refused = new OAuthError('invalid_grant')
  if (!login || login.secondFactor) return refused
  const { userId } = login
  const viewer = await services.tokens.viewer(userId)
  if (!viewer || viewer.suspended || viewer.state !== 'functional') return refused
  const scopes = requestedScopes(exchange.scope, client.scopes)
  if (!scopes) return new OAuthError('invalid_scope')
  return services.database.transaction(async transaction => {
    if (!(await holdLogin(transaction, login))) return refused
    return (await issue(services, transaction, { applicationId: client.id, userId, scopes }, exchange)).entity
  })
}
