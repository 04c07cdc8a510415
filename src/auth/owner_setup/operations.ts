import { operation, param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import { CSRF_PARAMETER, field, form, hidden, html, pageResponse, phrase, submit } from '../../platform/ui/index.ts'
import { openWebSession, type WebSession } from '../sessions/index.ts'
import { fieldErrorsOf, newPasswordFields, type FieldErrors } from '../sign_up/index.ts'
import { OWNER_SETUP_PATH } from './link.ts'
import { makeOwner, stateOfLink, type LinkState, type NewOwner } from './make_owner.ts'

const COMMAND = 'npm run --silent ctl -- owner-link'
/** The first page of a new owner: the settings of registrations. */
const NEXT_PATH = '/admin/settings/registrations'

const showForm = operation({
  method: 'GET',
  path: OWNER_SETUP_PATH,
  summary: "Show the form for the owner's account, by the one-time link of a new server",
  auth: 'public',
  scopes: [],
  page: true,
  params: { token: param.string({ default: '' }) },
  returns: 'text/html',
  async handle({ token }, context) {
    const webSession = await openWebSession(context)
    const state = await stateOfLink(context.database, token)
    if (state !== 'valid') return refusalPage(context, webSession, state)
    return formPage(context, webSession, token, { username: '', email: '', password: '' })
  },
})

const text = param.string({ default: '' })

const submitForm = operation({
  method: 'POST',
  path: OWNER_SETUP_PATH,
  summary: "Make the owner's account",
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    token: text,
    user: param.object({ username: text, email: text, password: text, password_confirmation: text }, { missing: 400 }),
  },
  returns: 'redirect',
  async handle({ token, user, ...parameters }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const { t } = webSession.translator
    if (user.password !== user.password_confirmation)
      return formPage(context, webSession, token, user, { password_confirmation: [t('form_error.mismatch')] })
    let refused: LinkState | undefined
    const errors = await fieldErrorsOf(webSession.translator, async () => {
      const outcome = await makeOwner(context, token, user)
      if ('refused' in outcome) refused = outcome.refused
      else await webSession.signIn(outcome.userId)
    })
    if (errors) return formPage(context, webSession, token, user, errors)
    if (refused !== undefined) return refusalPage(context, webSession, refused)
    webSession.flash(t('owner_setup.done'))
    return webSession.respond(redirect(NEXT_PATH, 303))
  },
})

function formPage(
  context: Context,
  webSession: WebSession,
  token: string,
  filledIn: NewOwner,
  errors: FieldErrors = {},
): Response {
  const { translator } = webSession
  const { t } = translator
  const domain = context.config.localDomain
  const body = html`<h1>${t('owner_setup.title')}</h1>
    <p>${phrase(t('owner_setup.intro'), { domain: html`<strong>${domain}</strong>` })}</p>
    ${form({ action: OWNER_SETUP_PATH, csrfToken: webSession.csrfToken() }, [
      hidden('token', token),
      field({
        label: t('sign_up.username'),
        name: 'user[username]',
        value: filledIn.username,
        autocomplete: 'off',
        hint: t('owner_setup.username_hint', { domain }),
        errors: errors['username'],
        maxLength: 30,
        pattern: '[A-Za-z0-9_]+',
        required: true,
        verbatim: true,
      }),
      field({
        label: t('field.email'),
        name: 'user[email]',
        type: 'email',
        value: filledIn.email,
        autocomplete: 'username',
        hint: t('owner_setup.email_hint'),
        errors: errors['email'],
        required: true,
        verbatim: true,
      }),
      ...newPasswordFields(translator, errors),
      submit(t('owner_setup.submit')),
    ])}`
  return pageResponse(context, webSession, { title: t('owner_setup.title'), body })
}

/** The page for an invalid link: 404 for an unknown one, 403 once there is an owner. */
function refusalPage(context: Context, webSession: WebSession, state: LinkState): Response {
  const { t } = webSession.translator
  const isTaken = state === 'taken'
  const title = t(isTaken ? 'owner_setup.taken.title' : 'owner_setup.stale.title')
  const why = isTaken
    ? t('owner_setup.taken.text')
    : phrase(t('owner_setup.stale.text'), { command: html`<code>${COMMAND}</code>` })
  const body = html`<h1>${title}</h1>
    <p>${why}</p>
    ${isTaken && html`<p><a href="/auth/sign_in">${t('sign_in.title')}</a></p>`}`
  return pageResponse(context, webSession, { title, body, status: isTaken ? 403 : 404 })
}

export const operations = [showForm, submitForm]
