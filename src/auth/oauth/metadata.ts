import { operation } from '../../platform/http/index.ts'
import { SCOPES } from '../../core/scopes.ts'

/** Authorization server metadata (RFC 8414). */
export const showServerMetadata = operation({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Show the OAuth 2 authorization server metadata',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'OAuthServerMetadata',
  handle(_, { config: { publicUrl } }) {
    return {
      issuer: `${publicUrl}/`,
      service_documentation: 'https://docs.joinmastodon.org/',
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      userinfo_endpoint: `${publicUrl}/oauth/userinfo`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      app_registration_endpoint: `${publicUrl}/api/v1/apps`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    }
  },
})
