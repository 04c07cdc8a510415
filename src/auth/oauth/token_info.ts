import { findApplication } from './apps/index.ts'
import { operation, param } from '../../platform/http/index.ts'
import { presentedLiveToken, unixSeconds } from './bearer.ts'
import { OAuthError, oauthErrorResponse } from './oauth_error.ts'

/**
 * Describes the presented token, whatever its scopes. `resource_owner_id` is the id of the user,
 * not of the account.
 */
export const showTokenInfo = operation({
  method: 'GET',
  path: '/oauth/token/info',
  summary: 'Describe the token that is presented',
  auth: 'public',
  scopes: [],
  params: { access_token: param.string({ optional: true }), bearer_token: param.string({ optional: true }) },
  returns: 'TokenInfo',
  async handle(parameters, context) {
    const { token } = await presentedLiveToken(context, context.request, parameters)
    if (!token) return oauthErrorResponse(new OAuthError('invalid_token'), 'unauthorized')
    const { applicationId } = token
    const application = applicationId === null ? undefined : await findApplication(context.database, applicationId)
    return {
      resource_owner_id: token.viewer && Number(token.viewer.userId),
      scope: [...token.scopes],
      expires_in: null,
      application: { uid: application?.client_id ?? null },
      created_at: unixSeconds(token.createdAt),
    }
  },
})
