import { findClient, matchesRedirectUri, type Client } from './apps/index.ts'
import type { Runner } from '../../platform/database/index.ts'
import { param } from '../../platform/http/index.ts'
import { OAuthError, missingParameter } from './oauth_error.ts'
import { requestedScopes } from './scope.ts'

/**
 * The parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
 * `checkRequest` validates them.
 */
export const REQUEST_PARAMETERS = {
  response_type: param.string({ optional: true }),
  client_id: param.string({ optional: true }),
  redirect_uri: param.string({ optional: true }),
  scope: param.string({ optional: true }),
  state: param.string({ optional: true }),
  code_challenge: param.string({ optional: true }),
  code_challenge_method: param.string({ optional: true }),
  response_mode: param.string({ optional: true }),
} as const

export type RequestParameters = { readonly [K in keyof typeof REQUEST_PARAMETERS]: string | undefined }

/** How the response parameters are sent. */
export type ResponseMode = 'query' | 'fragment' | 'form_post'

/** A redirect URI that is registered for the application. */
export interface ReturnTarget {
  readonly redirectUri: string
  readonly mode: ResponseMode
  readonly state: string
}

/** A valid request. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly scopes: readonly string[]
  readonly codeChallenge: string | undefined
  readonly to: ReturnTarget
}

/** An invalid request; `to` is set if the error can be sent to the application. */
export interface InvalidRequest {
  readonly refusal: OAuthError
  readonly to?: ReturnTarget
}

const MODES: readonly ResponseMode[] = ['query', 'fragment', 'form_post']

/** Validates a request, up to the first error. */
export async function checkRequest(
  database: Runner,
  parameters: RequestParameters,
): Promise<AuthorizationRequest | InvalidRequest> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state = '' } = parameters
  if (clientId.trim() === '') return { refusal: missingParameter('client_id') }
  const client = await findClient(database, clientId)
  if (!client) return { refusal: new OAuthError('invalid_client') }
  if (!matchesRedirectUri(redirectUri, client.redirect_uris)) return { refusal: new OAuthError('invalid_redirect_uri') }
  const responseMode = parameters.response_mode === '' ? undefined : parameters.response_mode
  const mode = MODES.find(known => known === (responseMode ?? 'query'))
  const to: ReturnTarget = { redirectUri, mode: mode ?? 'query', state }
  const scopes = requestedScopes(parameters.scope, client.scopes)
  const refusal = refusalOf(parameters, mode, scopes)
  if (refusal || !scopes) return { refusal: refusal ?? new OAuthError('invalid_scope'), to }
  const { code_challenge: codeChallenge } = parameters
  return { client, scopes, codeChallenge: codeChallenge === '' ? undefined : codeChallenge, to }
}

function refusalOf(
  parameters: RequestParameters,
  mode: ResponseMode | undefined,
  scopes: readonly string[] | undefined,
): OAuthError | undefined {
  const { response_type: type = '', code_challenge: challenge = '', code_challenge_method: method } = parameters
  if (type === '') return missingParameter('response_type')
  if (type !== 'code') return new OAuthError('unsupported_response_type')
  if (!mode) return new OAuthError('unsupported_response_mode')
  if (!scopes) return new OAuthError('invalid_scope')
  return challenge !== '' && method !== 'S256' ? new OAuthError('invalid_code_challenge_method') : undefined
}
