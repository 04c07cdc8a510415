import { json, type Response } from '../../platform/http/index.ts'

/** The errors of OAuth (RFC 6749, sections 4.1.2.1 and 5.2): code, status and text. */
const OAUTH_ERRORS = {
  access_denied: { status: 400, text: 'The resource owner or authorization server denied the request.' },
  invalid_client: {
    status: 401,
    text: 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  },
  invalid_code_challenge_method: { status: 400, text: 'The code_challenge_method must be S256.' },
  invalid_grant: {
    status: 400,
    text: 'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  },
  invalid_redirect_uri: { status: 400, text: 'The redirect uri included is not valid.' },
  invalid_request: {
    status: 400,
    text: 'Request need to be authorized. Required parameter for authorizing request is missing or invalid.',
  },
  invalid_scope: { status: 400, text: 'The requested scope is invalid, unknown, or malformed.' },
  invalid_token: { status: 401, text: 'The access token is invalid' },
  unauthorized_client: { status: 403, text: 'You are not authorized to revoke this token' },
  unsupported_grant_type: {
    status: 400,
    text: 'The authorization grant type is not supported by the authorization server.',
  },
  unsupported_response_mode: {
    status: 400,
    text: 'The authorization server does not support this response mode.',
  },
  unsupported_response_type: {
    status: 400,
    text: 'The authorization server does not support this response type.',
  },
} as const satisfies Record<string, { status: number; text: string }>

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS

/**
 * An OAuth error. It is a value, because it is an expected outcome that each endpoint presents
 * differently.
 */
export class OAuthError {
  readonly error: OAuthErrorCode
  readonly status: number
  readonly description: string

  constructor(error: OAuthErrorCode, description?: string) {
    this.error = error
    this.status = OAUTH_ERRORS[error].status
    this.description = description ?? OAUTH_ERRORS[error].text
  }
}

export const missingParameter = (name: string): OAuthError =>
  new OAuthError('invalid_request', `Missing required parameter: ${name}.`)

/** Responses with tokens, or about tokens, must not be cached (RFC 6749, section 5.1). */
export const NO_STORE = { 'Cache-Control': 'no-store, no-cache', Pragma: 'no-cache' } as const

/** The JSON response for an error, with the header that RFC 6750 requires. */
export function oauthErrorResponse(refusal: OAuthError, state?: string): Response {
  const { error, description } = refusal
  const body = { error, error_description: description, ...(state !== undefined && state !== '' && { state }) }
  return json(body, refusal.status, {
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'WWW-Authenticate': `Bearer realm="Doorkeeper", error="${error}", error_description="${description}"`,
  })
}
