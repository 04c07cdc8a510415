import { authenticateClient, findApplication, presentedCredentials } from './apps/index.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Token } from '../../core/viewer.ts'
import { presentedLiveToken, unixSeconds } from './bearer.ts'
import { OAuthError, oauthErrorResponse } from './oauth_error.ts'

interface Presented {
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
  readonly access_token: string | undefined
  readonly bearer_token: string | undefined
}

/**
 * Token introspection (RFC 7662) for the token's own application, authenticated by its client
 * credentials or another of its tokens. No scope is required.
 */
export const introspectToken = operation({
  method: 'POST',
  path: '/oauth/introspect',
  summary: 'Describe a token, and whether it is valid',
  auth: 'public',
  scopes: [],
  params: {
    token: param.string({ optional: true }),
    token_type_hint: param.string({ optional: true }),
    client_id: param.string({ optional: true }),
    client_secret: param.string({ optional: true }),
    access_token: param.string({ optional: true }),
    bearer_token: param.string({ optional: true }),
  },
  returns: 'TokenIntrospection',
  async handle(parameters, context) {
    const { token: secret = '', token_type_hint: hint } = parameters
    // Refresh tokens do not exist here.
    const token = secret === '' || hint === 'refresh_token' ? undefined : await context.tokens.find(secret)
    const asking = await askingApplication(context, parameters, token)
    if (asking instanceof OAuthError)
      return oauthErrorResponse(asking, asking.error === 'invalid_token' ? 'unauthorized' : undefined)
    if (!token || token.revoked || token.applicationId !== asking) return { active: false }
    const application = await findApplication(context.database, asking)
    const about = { client_id: application?.client_id, token_type: 'Bearer', iat: unixSeconds(token.createdAt) }
    return { active: true, scope: [...token.scopes].join(' '), ...about }
  },
})

async function askingApplication(
  context: Context,
  presented: Presented,
  inspected: Token | undefined,
): Promise<Id | OAuthError> {
  const credentials = presentedCredentials(context.request, presented)
  if (credentials)
    return (await authenticateClient(context.database, credentials))?.id ?? new OAuthError('invalid_client')
  const bearer = await presentedLiveToken(context, context.request, presented)
  if (!bearer.presented) return new OAuthError('invalid_request')
  const { token } = bearer
  const isForeign = inspected && (inspected.id === token?.id || inspected.applicationId !== token?.applicationId)
  if (!token || token.applicationId === null || isForeign === true) return new OAuthError('invalid_token')
  return token.applicationId
}
