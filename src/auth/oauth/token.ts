import { presentedCredentials } from './apps/index.ts'
import { json, operation, param } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import type { TokenEntity } from './issue.ts'
import { exchangeCode, exchangeCredentials, exchangePassword, type Exchange } from './exchange.ts'
import { NO_STORE, OAuthError, oauthErrorResponse, missingParameter } from './oauth_error.ts'

type Grant = (services: Services, exchange: Exchange) => Promise<TokenEntity | OAuthError>

/**
 * The supported grant types. The last is not advertised: applications should use the consent page.
 */
const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', exchangeCode],
  ['client_credentials', exchangeCredentials],
  ['password', exchangePassword],
])

const text = (): ReturnType<typeof param.string<{ optional: true }>> => param.string({ optional: true })

/** Issues tokens (RFC 6749, section 3.2). */
export const issueToken = operation({
  method: 'POST',
  path: '/oauth/token',
  summary: 'Exchange an authorization code, or client credentials, for an access token',
  auth: 'public',
  scopes: [],
  cache: 'handler',
  params: {
    grant_type: text(),
    client_id: text(),
    client_secret: text(),
    code: text(),
    redirect_uri: text(),
    code_verifier: text(),
    scope: text(),
    username: text(),
    password: text(),
  },
  returns: 'Token',
  async handle(parameters, context) {
    const { grant_type: kind = '' } = parameters
    const grant = GRANTS.get(kind)
    if (!grant)
      return oauthErrorResponse(kind === '' ? missingParameter('grant_type') : new OAuthError('unsupported_grant_type'))
    const exchanged = await grant(context, {
      credentials: presentedCredentials(context.request, parameters),
      code: parameters.code,
      redirectUri: parameters.redirect_uri,
      codeVerifier: parameters.code_verifier,
      scope: parameters.scope,
      username: parameters.username,
      password: parameters.password,
      address: context.request.address,
    })
    return exchanged instanceof OAuthError ? oauthErrorResponse(exchanged) : json(exchanged, 200, NO_STORE)
  },
})
