import { activateUser } from './api/activate.ts'
import { emailToFind } from './api/email.ts'
import { isOutOfBand } from '../oauth/apps/index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { hashSecret } from '../../core/secret.ts'
import { CSRF_PARAMETER, field, form, html, pageResponse, submit } from '../../platform/ui/index.ts'
import { openWebSession, type WebSession } from '../sessions/index.ts'
import { readConfirmationState, needsConfirmation } from './address.ts'
import { asksForCaptcha, CAPTCHA_FIELD, CAPTCHA_PATH, captchaPage, isSolved } from './captcha.ts'
import { resendTo } from './resend.ts'
import { notifyStaffOfSignUp } from './notify_staff.ts'

const findConfirmation = query(
  'auth/sign_up/find_confirmation',
  { token_hash: c.bytes },
  {
    id: c.id,
    confirmed: c.boolean,
    approved: c.boolean,
    changing: c.boolean,
    taken: c.boolean,
    application_name: c.nullable(c.text),
    redirect_uris: c.nullable(c.texts),
  },
)
const confirm = query('auth/sign_up/confirm', { user: c.id }, { events: c.events })

interface Confirmed {
  /** Whether the link had been opened before. */
  readonly isRepeated: boolean
  /** The application that the user signed up with, if it has a redirect URI. */
  readonly application: { readonly name: string; readonly uri: string } | undefined
}

/**
 * Confirms the address of a link; undefined if the link is unknown or expired, or the address was
 * taken in the meantime.
 */
async function confirmAddress(transaction: Runner, token: string): Promise<Confirmed | undefined> {
  const found = await transaction.one(findConfirmation, { token_hash: hashSecret(token) })
  if (!found || found.taken) return undefined
  const isRepeated = found.confirmed && !found.changing
  if (!isRepeated) await transaction.run(confirm, { user: found.id })
  if (!found.confirmed) await (found.approved ? activateUser : notifyStaffOfSignUp)(transaction, found.id)
  const uri = found.redirect_uris?.find(one => !isOutOfBand(one))
  return { isRepeated, application: uri === undefined ? undefined : { name: found.application_name ?? '', uri } }
}

/** Opens the link in the e-mail. */
export const openConfirmation = operation({
  method: 'GET',
  path: '/auth/confirmation',
  summary: 'Confirm an e-mail address by its link',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    confirmation_token: param.string({ default: '' }),
    redirect_to_app: param.boolean({ default: false }),
  },
  returns: 'text/html',
  async handle({ confirmation_token: token, redirect_to_app: toApplication }, context) {
    const webSession = await openWebSession(context)
    const elsewhere = await placeOfConfirmed(context, webSession)
    if (elsewhere !== undefined && !toApplication) return redirect(elsewhere)
    if (await needsCaptcha(context, token)) return captchaPage(context, webSession, { token, toApplication })
    return followLink(context, webSession, token, toApplication)
  },
})

/** Submits the captcha. */
export const sendCaptcha = operation({
  method: 'POST',
  path: CAPTCHA_PATH,
  summary: 'Confirm an e-mail address after a captcha',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    [CAPTCHA_FIELD]: param.string({ default: '' }),
    confirmation_token: param.string({ default: '' }),
    redirect_to_app: param.boolean({ default: false }),
  },
  returns: 'redirect',
  async handle({ confirmation_token: token, redirect_to_app: toApplication, ...form }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(form[CSRF_PARAMETER])
    if ((await needsCaptcha(context, token)) && !(await isSolved(context, form[CAPTCHA_FIELD]))) {
      return captchaPage(context, webSession, { token, toApplication, failed: true })
    }
    return followLink(context, webSession, token, toApplication)
  },
})

/** Whether a new user has to solve a captcha before the link works; not for a change of address. */
async function needsCaptcha(context: Context, token: string): Promise<boolean> {
  if (!asksForCaptcha(context)) return false
  const found = await context.database.one(findConfirmation, { token_hash: hashSecret(token) })
  return found !== undefined && !found.confirmed
}

/** Confirms the address and redirects. */
async function followLink(
  context: Context,
  webSession: WebSession,
  token: string,
  toApplication: boolean,
): Promise<Response> {
  const confirmed = await context.database.transaction(transaction => confirmAddress(transaction, token))
  if (!confirmed) return requestPage(context, webSession, webSession.translator.t('confirm.stale'))
  const { application, isRepeated } = confirmed
  if (toApplication && application) {
    return isRepeated ? applicationPage(context, webSession, application) : redirect(application.uri)
  }
  webSession.flash(webSession.translator.t('confirm.done'))
  return webSession.respond(redirect(webSession.viewer ? (webSession.takePath() ?? '/start') : '/auth/sign_in'))
}

export const showConfirmationRequest = operation({
  method: 'GET',
  path: '/auth/confirmation/new',
  summary: 'Show the form for requesting the confirmation e-mail again',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    const elsewhere = await placeOfConfirmed(context, webSession)
    return elsewhere === undefined ? requestPage(context, webSession) : redirect(elsewhere)
  },
})

/**
 * Does the same work and sends the same response whether or not the address waits for confirmation.
 */
export const sendConfirmationAgain = operation({
  method: 'POST',
  path: '/auth/confirmation',
  summary: 'Send the confirmation mail again',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object({ email: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'redirect',
  async handle(parameters, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    await enqueue(context.database, resendTo, { email: emailToFind(parameters.user.email) })
    webSession.flash(webSession.translator.t('confirm.sent'))
    return webSession.respond(redirect(webSession.viewer ? '/auth/setup' : '/auth/sign_in', 303))
  },
})

/** The redirect for signed-in users who have nothing to confirm. */
async function placeOfConfirmed({ database }: Context, webSession: WebSession): Promise<string | undefined> {
  const standing = webSession.viewer ? await readConfirmationState(database, webSession.viewer.userId) : undefined
  if (!standing || needsConfirmation(standing)) return undefined
  return standing.approved ? '/' : '/auth/edit'
}

function requestPage(context: Context, webSession: WebSession, alert?: string): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('confirm.title')}</h1>
    <p>${t('confirm.intro')}</p>
    ${form({ action: '/auth/confirmation', csrfToken: webSession.csrfToken() }, [
      field({
        label: t('field.email'),
        name: 'user[email]',
        type: 'email',
        autocomplete: 'email',
        required: true,
        verbatim: true,
      }),
      submit(t('confirm.submit')),
    ])}`
  return pageResponse(context, webSession, {
    title: t('confirm.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}

function applicationPage(
  context: Context,
  webSession: WebSession,
  application: { name: string; uri: string },
): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('confirm.application.title')}</h1>
    <p>${t('confirm.application.intro')}</p>
    <p>
      <a class="button primary" href="${application.uri}"
        >${t('confirm.application.open', { name: application.name })}</a
      >
    </p>`
  return pageResponse(context, webSession, { title: t('confirm.application.title'), body })
}
