import { json, operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openWebSession, requiredStep, type PendingLogin, type WebSession } from '../sessions/index.ts'
import { describeBrowser, timeOf } from '../sessions/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { recordActivity, type SignInMethod } from './activity.ts'
import { checkLogin, holdLogin, type Login } from './login.ts'
import { secondFactorPage, signInPage } from './page.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { checkSecurityKey, hasSecurityKeys } from '../security_keys/index.ts'
import { checkSecondFactor, PENDING_MS } from '../two_factor/index.ts'

/** Landing pages of new visitors, to which users are not returned after signing in. */
const LANDING = new Set(['/about', '/explore'])

export const showSignIn = operation({
  method: 'GET',
  path: '/auth/sign_in',
  summary: 'Sign-in form',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    return webSession.viewer ? redirect('/') : signInPage(context, webSession)
  },
})

export const signIn = operation({
  method: 'POST',
  path: '/auth/sign_in',
  summary: 'Sign in with a password, then with the second factor if there is one',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object(
      {
        email: param.string({ optional: true }),
        password: param.string({ optional: true }),
        otp_attempt: param.string({ optional: true }),
        credential: param.record({ optional: true, description: 'what a security key answered, in JSON' }),
      },
      { missing: 400 },
    ),
  },
  returns: 'text/html',
  async handle({ user, [CSRF_PARAMETER]: csrf }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(csrf)
    const pending = webSession.pending()
    if (user.credential) return takeSecurityKey(context, webSession, pending, user.credential)
    if (user.otp_attempt !== undefined && user.email === undefined && pending)
      return takeSecondFactor(context, webSession, pending, user.otp_attempt)
    const { email = '', password = '' } = user
    const login = await checkLogin(context.database, email, password)
    if (!login) return wrongPage(context, webSession, email)
    if (!login.secondFactor)
      return (await enter(context, webSession, login, 'password')) ?? wrongPage(context, webSession, email)
    webSession.awaitSecondFactor(login)
    return secondFactorPage(context, webSession, await hasSecurityKeys(context.database, login.userId))
  },
})

const wrongPage = (context: Context, webSession: WebSession, email: string): Promise<Response> =>
  signInPage(context, webSession, { email, alert: webSession.translator.t('sign_in.wrong') })

async function takeSecondFactor(
  context: Context,
  webSession: WebSession,
  pending: PendingLogin,
  code: string,
): Promise<Response> {
  if (Date.now() - pending.at > PENDING_MS) {
    webSession.awaitSecondFactor(undefined)
    return signInPage(context, webSession, { email: '', alert: webSession.translator.t('sign_in.late') })
  }
  const checked = await checkSecondFactor(context, pending.userId, code, Date.now())
  if (checked === 'right') {
    const entered = await enter(context, webSession, pending, 'otp')
    if (entered) return entered
    webSession.awaitSecondFactor(undefined)
    return wrongPage(context, webSession, '')
  }
  if (checked === 'locked') await noteLockout(context, pending.userId, 'otp')
  const alert = checked === 'wrong' ? 'sign_in.factor.wrong' : 'sign_in.factor.too_many'
  const hasKeys = await hasSecurityKeys(context.database, pending.userId)
  return secondFactorPage(context, webSession, hasKeys, webSession.translator.t(alert))
}

/** Responds to the page's script with the next path, or with the error. */
async function takeSecurityKey(
  context: Context,
  webSession: WebSession,
  pending: PendingLogin | undefined,
  credential: object,
): Promise<Response> {
  const refuse = (key: TextKey): Response => webSession.respond(json({ error: webSession.translator.t(key) }, 422))
  if (!pending || Date.now() - pending.at > PENDING_MS) return refuse('sign_in.late')
  const checked = await checkSecurityKey(context, webSession, pending.userId, credential)
  if (checked === 'right') {
    const entered = await enter(context, webSession, pending, 'webauthn')
    if (!entered) return refuse('sign_in.wrong')
    return webSession.respond(json({ redirect_path: entered.headers['Location'] ?? '/' }))
  }
  if (checked === 'locked') await noteLockout(context, pending.userId, 'webauthn')
  return refuse(checked === 'wrong' ? 'security_keys.wrong' : 'sign_in.factor.too_many')
}

/**
 * Sends an e-mail, at most once an hour, that somebody who knows the password failed the second
 * factor too often.
 */
async function noteLockout(context: Context, userId: Id, method: SignInMethod): Promise<void> {
  await context.database.transaction(async transaction => {
    await recordActivity(transaction, context.request, userId, method, false)
    await sendNotice(transaction, userId, 'failed_two_factor', { values: whereFrom(context) })
  })
}

/** The origin of a sign-in attempt, for e-mails. */
function whereFrom({ request }: Context): { address: string; browser: string; time: string } {
  const { browser, system } = describeBrowser(request.header('user-agent'))
  const named = [browser, system].filter(name => name !== undefined).join(', ')
  return { address: request.address, browser: named === '' ? '?' : named, time: `${timeOf(new Date())} UTC` }
}

/**
 * Signs in and redirects to the requested path; undefined if the password was changed meanwhile.
 * Users who first have to confirm an address are redirected afterwards.
 */
async function enter(
  context: Context,
  webSession: WebSession,
  login: Pick<Login, 'userId' | 'passwordDigest'>,
  method: SignInMethod,
): Promise<Response | undefined> {
  const { userId } = login
  const isSignedIn = await webSession.signIn(userId, async transaction => {
    if (!(await holdLogin(transaction, login))) return false
    const { suspicious } = await recordActivity(transaction, context.request, userId, method, true)
    if (suspicious) await sendNotice(transaction, userId, 'suspicious_sign_in', { values: whereFrom(context) })
    return true
  })
  if (!isSignedIn) return undefined
  const { viewer } = webSession
  if (viewer?.state === 'unconfirmed') return webSession.respond(redirect('/auth/setup', 303))
  const place = viewer?.missingFactor ? requiredStep(viewer) : undefined
  if (place !== undefined) return webSession.respond(redirect(place, 303))
  const path = webSession.takePath() ?? '/'
  return webSession.respond(redirect(LANDING.has(path) ? '/' : path, 303))
}
