import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect, type Response } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { holdSession, openWebSession, requiredStep, type WebSession } from '../sessions/index.ts'
import { findClient } from './apps/index.ts'
import { consentPage } from './consent_page.ts'
import { makeCode } from './grant.ts'
import { OAuthError } from './oauth_error.ts'
import { checkRequest, REQUEST_PARAMETERS, type AuthorizationRequest } from './request.ts'
import { oauthErrorPage, sendCode, sendError } from './respond.ts'

const hasToken = query('auth/oauth/has_token', { application: c.id, user: c.id, scopes: c.texts }, { held: c.boolean })

const consentPath = '/oauth/authorize'

/** The consent page; redirects to the application if consent was given before. */
export const showConsent = operation({
  method: 'GET',
  path: consentPath,
  summary: 'Ask the person whether an application may use the account',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, force_login: param.boolean({ default: false }) },
  returns: 'text/html',
  statuses: [200, 302],
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    const { viewer } = webSession
    // Checked before the sign-in, so that nobody enters a password for an invalid request.
    const checked = await checkRequest(context.database, parameters)
    if ('refusal' in checked) return oauthErrorPage(context, webSession, checked.refusal)
    webSession.remember(sortedLocation(context.request.query))
    if (!viewer) return webSession.respond(redirect('/auth/sign_in'))
    const elsewhere = requiredStep(viewer)
    if (elsewhere !== undefined) return webSession.respond(redirect(elsewhere))
    if (checked.client.superapp || (!parameters.force_login && (await isGranted(context, viewer, checked))))
      return grantAccess(context, webSession, viewer, checked)
    return consentPage(context, webSession, viewer, checked, parameters)
  },
})

/** The user consented. */
export const approve = operation({
  method: 'POST',
  path: consentPath,
  summary: 'Approve an authorization request',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = webSession
    if (!viewer) return redirect('/auth/sign_in')
    const elsewhere = requiredStep(viewer)
    if (elsewhere !== undefined) return redirect(elsewhere)
    const checked = await checkRequest(context.database, parameters)
    return 'refusal' in checked
      ? sendError(context, webSession.translator, checked)
      : grantAccess(context, webSession, viewer, checked)
  },
})

/** The user denied access. */
export const deny = operation({
  method: 'DELETE',
  path: consentPath,
  summary: 'Refuse an authorization request',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    if (!webSession.viewer) return redirect('/auth/sign_in')
    webSession.takePath()
    const checked = await checkRequest(context.database, parameters)
    const refused = 'refusal' in checked ? checked : { refusal: new OAuthError('access_denied'), to: checked.to }
    return webSession.respond(sendError(context, webSession.translator, refused))
  },
})

/** The name of the application whose authorization request is at a path of this server. */
export async function applicationAt(services: Services, path: string | undefined): Promise<string | undefined> {
  const [page = '', search = ''] = path?.split('?', 2) ?? []
  const clientId = page === consentPath ? new URLSearchParams(search).get('client_id') : null
  return clientId === null ? undefined : (await findClient(services.database, clientId))?.name
}

async function isGranted({ database }: Services, viewer: Viewer, request: AuthorizationRequest): Promise<boolean> {
  const { client, scopes } = request
  const found = await database.one(hasToken, { application: client.id, user: viewer.userId, scopes: [...scopes] })
  return found?.held === true
}

async function grantAccess(
  services: Services,
  webSession: WebSession,
  viewer: Viewer,
  request: AuthorizationRequest,
): Promise<Response> {
  const granted = {
    applicationId: request.client.id,
    userId: viewer.userId,
    redirectUri: request.to.redirectUri,
    scopes: request.scopes,
    codeChallenge: request.codeChallenge,
  }
  const code = await services.database.transaction(async transaction =>
    (await holdSession(transaction, webSession.session)) ? makeCode(transaction, granted) : undefined,
  )
  if (code === undefined) return webSession.respond(redirect('/auth/sign_in'))
  webSession.takePath()
  return webSession.respond(sendCode(services, webSession.translator, request.to, code))
}

/** The path of this page with its parameters sorted by name. */
function sortedLocation(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return `${consentPath}?${parameters.toString()}`
}
