import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openWebSession, requiredStep, type WebSession } from '../sessions/index.ts'
import { describeBrowser, timeOf } from '../sessions/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { noteActivity, type SignInMethod } from './activity.ts'
import { checkLogin } from './login.ts'
import { secondFactorPage, signInPage } from './page.ts'
import { checkSecondFactor, PENDING_MS } from '../two_factor/index.ts'

/** Landing pages of new visitors, which are no place to return to. */
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
    const visit = await openWebSession(context)
    return visit.viewer ? redirect('/') : signInPage(context, visit)
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
      },
      { missing: 400 },
    ),
  },
  returns: 'text/html',
  async handle({ user, [CSRF_PARAMETER]: csrf }, context) {
    const visit = await openWebSession(context)
    visit.requireCsrf(csrf)
    const pending = visit.pending()
    if (user.otp_attempt !== undefined && user.email === undefined && pending)
      return takeSecondFactor(context, visit, pending, user.otp_attempt)
    const { email = '', password = '' } = user
    const login = await checkLogin(context.database, email, password)
    if (!login) return signInPage(context, visit, { email, alert: visit.speaker.t('sign_in.wrong') })
    if (!login.secondFactor) return enter(context, visit, login.userId, 'password')
    visit.awaitSecondFactor(login.userId)
    return secondFactorPage(context, visit)
  },
})

async function takeSecondFactor(
  context: Context,
  visit: WebSession,
  pending: { userId: Id; at: number },
  code: string,
): Promise<Response> {
  if (Date.now() - pending.at > PENDING_MS) {
    visit.awaitSecondFactor(undefined)
    return signInPage(context, visit, { email: '', alert: visit.speaker.t('sign_in.late') })
  }
  const checked = await checkSecondFactor(context, pending.userId, code, Date.now())
  if (checked === 'right') return enter(context, visit, pending.userId, 'otp')
  if (checked === 'locked') await noteLockout(context, pending.userId)
  const alert = checked === 'wrong' ? 'sign_in.factor.wrong' : 'sign_in.factor.too_many'
  return secondFactorPage(context, visit, visit.speaker.t(alert))
}

/**
 * Sends an e-mail, at most once an hour, that somebody who knows the password failed the second
 * factor too often.
 */
async function noteLockout(context: Context, userId: Id): Promise<void> {
  await context.database.transaction(async transaction => {
    await noteActivity(transaction, context.request, userId, 'otp', false)
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
 * Signs in and redirects to the requested path. Users who first have to confirm an address are
 * redirected afterwards.
 */
async function enter(context: Context, visit: WebSession, userId: Id, method: SignInMethod): Promise<Response> {
  await context.database.transaction(async transaction => {
    const { suspicious } = await noteActivity(transaction, context.request, userId, method, true)
    if (suspicious) await sendNotice(transaction, userId, 'suspicious_sign_in', { values: whereFrom(context) })
  })
  await visit.signIn(userId)
  const { viewer } = visit
  if (viewer?.state === 'unconfirmed') return visit.answer(redirect('/auth/setup', 303))
  const place = viewer?.missingFactor ? requiredStep(viewer) : undefined
  if (place !== undefined) return visit.answer(redirect(place, 303))
  const path = visit.takePath() ?? '/'
  return visit.answer(redirect(LANDING.has(path) ? '/' : path, 303))
}
