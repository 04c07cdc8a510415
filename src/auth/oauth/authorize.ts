import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect, type Response } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { openWebSession, requiredStep, type WebSession } from '../sessions/index.ts'
import { consentPage } from './consent_page.ts'
import { makeCode } from './grant.ts'
import { OAuthError } from './oauth_error.ts'
import { checkRequest, REQUEST_PARAMETERS, type AuthorizationRequest } from './request.ts'
import { oauthErrorPage, sendCode, sendError } from './respond.ts'

const hasToken = query('auth/oauth/has_token', { application: c.id, user: c.id, scopes: c.texts }, { held: c.boolean })

const path = '/oauth/authorize'

/** The consent page; redirects to the application if consent was given before. */
export const showConsent = operation({
  method: 'GET',
  path,
  summary: 'Ask the person whether an application may use the account',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, force_login: param.boolean({ default: false }) },
  returns: 'text/html',
  async handle(parameters, context) {
    const visit = await openWebSession(context)
    const { viewer } = visit
    visit.remember(sortedLocation(context.request.query))
    if (!viewer) return visit.answer(redirect('/auth/sign_in'))
    const elsewhere = requiredStep(viewer)
    if (elsewhere !== undefined) return visit.answer(redirect(elsewhere))
    const checked = await checkRequest(context.database, parameters)
    if ('refusal' in checked) return oauthErrorPage(context, visit, checked.refusal)
    if (checked.client.superapp || (!parameters.force_login && (await isGranted(context, viewer, checked))))
      return grantAccess(context, visit, viewer, checked)
    return consentPage(context, visit, viewer, checked, parameters)
  },
})

/** The user consented. */
export const approve = operation({
  method: 'POST',
  path,
  summary: 'Approve an authorization request',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  async handle(parameters, context) {
    const visit = await openWebSession(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = visit
    if (!viewer) return redirect('/auth/sign_in')
    const elsewhere = requiredStep(viewer)
    if (elsewhere !== undefined) return redirect(elsewhere)
    const checked = await checkRequest(context.database, parameters)
    return 'refusal' in checked
      ? sendError(context, visit.speaker, checked)
      : grantAccess(context, visit, viewer, checked)
  },
})

/** The user denied access. */
export const deny = operation({
  method: 'DELETE',
  path,
  summary: 'Refuse an authorization request',
  auth: 'public',
  scopes: [],
  page: true,
  params: { ...REQUEST_PARAMETERS, [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  async handle(parameters, context) {
    const visit = await openWebSession(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    if (!visit.viewer) return redirect('/auth/sign_in')
    visit.takePath()
    const checked = await checkRequest(context.database, parameters)
    const refused = 'refusal' in checked ? checked : { refusal: new OAuthError('access_denied'), to: checked.to }
    return visit.answer(sendError(context, visit.speaker, refused))
  },
})

async function isGranted({ database }: Services, viewer: Viewer, request: AuthorizationRequest): Promise<boolean> {
  const { client, scopes } = request
  const found = await database.one(hasToken, { application: client.id, user: viewer.userId, scopes: [...scopes] })
  return found?.held === true
}

async function grantAccess(
  services: Services,
  visit: WebSession,
  viewer: Viewer,
  request: AuthorizationRequest,
): Promise<Response> {
  const code = await makeCode(services.database, {
    applicationId: request.client.id,
    userId: viewer.userId,
    redirectUri: request.to.redirectUri,
    scopes: request.scopes,
    codeChallenge: request.codeChallenge,
  })
  visit.takePath()
  return visit.answer(sendCode(services, visit.speaker, request.to, code))
}

/** The path of this page with its parameters sorted by name. */
function sortedLocation(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return `${path}?${parameters.toString()}`
}
