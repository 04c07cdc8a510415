import { ApiError } from '../../core/errors.ts'
import { signUp, type SignUp } from './api/sign_up.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import type { Parsed } from '../../platform/http/param/index.ts'
import { preferredLanguage } from '../../core/languages/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { openWebSession, seal, unseal, type WebSession } from '../sessions/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import { fieldErrorsOf, type FieldErrors } from './form_errors.ts'
import { findInvite, type Invite } from './invite.ts'
import { countCodePoints } from '../../core/text/index.ts'
import { findRules } from './rules.ts'
import { EMPTY_FORM, rulesPage, signUpPage, type SignUpForm } from './sign_up_page.ts'

const setDisplayName = query('auth/sign_up/set_display_name', { account: c.id, display_name: c.text }, {})

const MAX_NAME_CHARACTERS = 40
/** People take longer than this to fill in the form. */
const FASTEST_MS = 3000
const LONGEST_CODE = 100
const PROOF_MS = 24 * 60 * 60 * 1000

/** Shows the rules, if there are any, then the form. */
export const showSignUp = operation({
  method: 'GET',
  path: '/auth/sign_up',
  summary: 'Sign-up form, after the rules of the server',
  auth: 'public',
  scopes: [],
  page: true,
  params: { invite_code: param.string({ optional: true }), accept: param.string({ optional: true }) },
  returns: 'text/html',
  async handle({ invite_code: code, accept }, context) {
    const webSession = await openWebSession(context)
    return openSignUp(context, webSession, await findInvite(context.database, code), accept)
  },
})

/** The first page of the sign-up. */
export async function openSignUp(
  context: Context,
  webSession: WebSession,
  invite: Invite | undefined,
  accept: string | undefined,
): Promise<Response> {
  if (webSession.viewer) return redirect('/')
  if (isClosed(context, invite)) return registrationsClosed(context, webSession)
  const { secrets, database, request } = context
  const acceptedAt = accept === undefined ? undefined : unseal(secrets.cookieSecret, 'rules', accept)
  if (acceptedAt === undefined || Date.now() - Number(acceptedAt) > PROOF_MS) {
    const rules = await findRules(database, preferredLanguage(request.header('accept-language')))
    const proof = seal(secrets.cookieSecret, 'rules', String(Date.now()))
    if (rules.length > 0) return rulesPage(context, webSession, rules, proof, invite)
  }
  return signUpPage(context, webSession, { filledIn: EMPTY_FORM, invite })
}

export const acceptRules = operation({
  method: 'POST',
  path: '/auth/acceptance',
  summary: 'Accept the rules of the server',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    accept: param.string({ missing: 400 }),
    invite_code: param.string({ optional: true }),
  },
  returns: 'redirect',
  async handle({ accept, invite_code, ...parameters }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    // What goes into the address is bounded: clients refuse long headers.
    const isProof = unseal(context.secrets.cookieSecret, 'rules', accept) !== undefined
    const isCode = invite_code !== undefined && invite_code.length <= LONGEST_CODE
    const query = new URLSearchParams({ ...(isProof && { accept }), ...(isCode && { invite_code }) })
    return redirect(`/auth/sign_up?${query.toString()}`)
  },
})

const text = param.string({ default: '' })

const USER = {
  account_attributes: param.object({ username: text, display_name: text }, { missing: 400 }),
  email: text,
  password: text,
  password_confirmation: text,
  agreement: param.boolean({ default: false }),
  invite_code: param.string({ optional: true }),
  invite_request_attributes: param.object({ text }, { optional: true }),
  date_of_birth: text,
  website: text,
  confirm_password: text,
} as const

type User = Parsed<typeof USER>

/** Creates the user and signs in. */
export const createUser = operation({
  method: 'POST',
  path: '/auth',
  summary: 'Sign up',
  auth: 'public',
  scopes: [],
  page: true,
  params: { [CSRF_PARAMETER]: param.string({ optional: true }), user: param.object(USER, { missing: 400 }) },
  returns: 'redirect',
  async handle({ user, ...parameters }, context) {
    if (context.config.selfDestruct !== undefined) throw new ApiError('serverClosed')
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const invite = await findInvite(context.database, user.invite_code)
    if (webSession.viewer) return redirect('/')
    if (isClosed(context, invite)) return registrationsClosed(context, webSession)
    const refused = isBot(user, webSession)
      ? { alert: webSession.translator.t('sign_up.too_fast') }
      : await register(context, webSession, user, invite)
    if (refused) return signUpPage(context, webSession, { filledIn: filledInOf(user), invite, ...refused })
    return webSession.respond(redirect('/auth/setup', 303))
  },
})

const filledInOf = (user: User): SignUpForm => ({
  username: user.account_attributes.username,
  displayName: user.account_attributes.display_name,
  email: user.email,
  reason: user.invite_request_attributes?.text ?? '',
  dateOfBirth: user.date_of_birth,
})

const isBot = (user: User, webSession: WebSession): boolean =>
  user.website !== '' || user.confirm_password !== '' || (webSession.formShownAt() ?? 0) > Date.now() - FASTEST_MS

/** Signs up and in; returns the validation errors, if there are any. */
async function register(
  context: Context,
  webSession: WebSession,
  user: User,
  invite: Invite | undefined,
): Promise<{ errors: FieldErrors } | undefined> {
  const { username, display_name: displayName } = user.account_attributes
  if (user.password !== user.password_confirmation)
    return { errors: { password_confirmation: [webSession.translator.t('form_error.mismatch')] } }
  if (countCodePoints(displayName) > MAX_NAME_CHARACTERS)
    return {
      errors: { display_name: [webSession.translator.t('form_error.ERR_TOO_LONG', { count: MAX_NAME_CHARACTERS })] },
    }
  const details: SignUp = {
    username,
    email: user.email,
    password: user.password,
    agreement: user.agreement,
    locale: preferredLanguage(context.request.header('accept-language')),
    reason: user.invite_request_attributes?.text,
    inviteCode: invite?.good ? invite.code : undefined,
    dateOfBirth: parseDay(user.date_of_birth),
    applicationId: null,
    address: context.request.address,
  }
  const errors = await fieldErrorsOf(webSession.translator, async () => {
    const signedUp = await signUp(context, details, (transaction, { accountId }) =>
      transaction.run(setDisplayName, { account: accountId, display_name: displayName.trim() }),
    )
    await webSession.signIn(signedUp.userId)
  })
  return errors && { errors }
}

/** The value of a date field; undefined if it is not a date. */
function parseDay(day: string): string | undefined {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
  return moment && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : undefined
}

const isRefused = ({ ipBlocks, request }: Context): boolean => ipBlocks.severityOf(request.address) === 'sign_up_block'

/** Whether sign-up from the address of the request is closed, even with this invite. */
export const isClosed = (context: Context, invite: Invite | undefined): boolean =>
  isRefused(context) ||
  (registrationsMode(context) === 'none' && (context.config.singleUserMode || invite?.good !== true))

function registrationsClosed(context: Context, webSession: WebSession): Response {
  webSession.flash(webSession.translator.t(isRefused(context) ? 'sign_up.refused' : 'sign_up.closed'), 'alert')
  return webSession.respond(redirect('/auth/sign_in'))
}
