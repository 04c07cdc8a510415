import { operation, param, redirect, type Answer, type Context } from '../http/index.ts'
import type { Id } from '../id.ts'
import { CSRF_PARAMETER } from '../pages/index.ts'
import { openVisit, type Visit } from '../sessions/index.ts'
import { checkLogin } from './login.ts'
import { secondFactorPage, signInPage } from './page.ts'
import { checkSecondFactor, PENDING_MS } from './second-factor.ts'

/** Pages that a new visitor lands on: nobody wants to return to them. */
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
    const visit = await openVisit(context)
    return visit.viewer ? redirect('/') : signInPage(context, visit)
  },
})

export const signIn = operation({
  method: 'POST',
  path: '/auth/sign_in',
  summary: 'Sign in with a password, then with the second factor where there is one',
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
    const visit = await openVisit(context)
    visit.requireCsrf(csrf)
    const pending = visit.pending()
    if (user.otp_attempt !== undefined && user.email === undefined && pending)
      return takeSecondFactor(context, visit, pending, user.otp_attempt)
    const { email = '', password = '' } = user
    const login = await checkLogin(context.database, email, password)
    if (!login) return signInPage(context, visit, { email, alert: 'Invalid E-mail address or password.' })
    if (!login.secondFactor) return enter(visit, login.userId)
    visit.expectFactorOf(login.userId)
    return secondFactorPage(context, visit)
  },
})

async function takeSecondFactor(
  context: Context,
  visit: Visit,
  pending: { userId: Id; at: number },
  code: string,
): Promise<Answer> {
  if (Date.now() - pending.at > PENDING_MS) {
    visit.expectFactorOf(undefined)
    return signInPage(context, visit, { email: '', alert: 'That took too long. Please sign in again.' })
  }
  const checked = await checkSecondFactor(context.database, pending.userId, code, Date.now())
  if (checked === 'right') return enter(visit, pending.userId)
  const tooMany = 'Too many authentication attempts, try again later.'
  return secondFactorPage(context, visit, checked === 'too many' ? tooMany : 'Invalid two-factor code')
}

/** Signs in and goes on to where the person was on the way to. Who has to confirm an address first finds the way afterwards. */
async function enter(visit: Visit, userId: Id): Promise<Answer> {
  await visit.signIn(userId)
  const state = visit.viewer?.state
  if (state === 'unconfirmed') return visit.answer(redirect('/auth/setup', 303))
  const path = visit.takePath() ?? '/'
  return visit.answer(redirect(LANDING.has(path) ? '/' : path, 303))
}
