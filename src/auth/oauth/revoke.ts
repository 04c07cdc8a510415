import { authenticateClient, presentedCredentials } from './apps/index.ts'
import { operation, param } from '../../platform/http/index.ts'
import { revokeToken } from './revoke_tokens.ts'
import { OAuthError, oauthErrorResponse } from './oauth_error.ts'

/**
 * Revokes one of the application's own tokens (RFC 7009). Succeeds also if there is no such token.
 */
export const revokeAccess = operation({
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke an access token',
  auth: 'public',
  scopes: [],
  params: {
    token: param.string({ optional: true }),
    token_type_hint: param.string({ optional: true }),
    client_id: param.string({ optional: true }),
    client_secret: param.string({ optional: true }),
  },
  returns: 'Empty',
  async handle(parameters, { database, tokens, request }) {
    const client = await authenticateClient(database, presentedCredentials(request, parameters))
    if (!client) return oauthErrorResponse(new OAuthError('unauthorized_client'))
    const { token: secret = '', token_type_hint: hint } = parameters
    // Refresh tokens do not exist here.
    const token = secret === '' || hint === 'refresh_token' ? undefined : await tokens.find(secret)
    if (!token || token.revoked) return {}
    if (token.applicationId !== client.id) return oauthErrorResponse(new OAuthError('unauthorized_client'))
    await revokeToken(database, token.id)
    return {}
  },
})
