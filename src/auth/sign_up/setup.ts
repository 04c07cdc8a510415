import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { CSRF_PARAMETER, field, form, html, pageResponse, phrase, submit } from '../../platform/ui/index.ts'
import { holdSession, openWebSession, type WebSession } from '../sessions/index.ts'
import { changeAddress, readConfirmationState, type ConfirmationState } from './address.ts'
import { fieldErrorsOf, type FieldErrors } from './form_errors.ts'

const path = '/auth/setup'

/** The waiting page after sign-up: for the confirmation of the address, then for approval. */
export const showSetup = operation({
  method: 'GET',
  path,
  summary: 'Show what a new user waits for: confirmation of the address, or approval',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    const standing = await standingOf(context, webSession)
    if (!standing) return redirect('/auth/sign_in')
    if (standing.confirmed && standing.approved) return redirect('/')
    return standing.confirmed ? approvalPage(context, webSession) : addressPage(context, webSession, standing)
  },
})

export const changeSetup = operation({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change the address before it is confirmed',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object({ email: param.string({ default: '' }) }, { missing: 400 }),
  },
  returns: 'redirect',
  async handle({ user, ...parameters }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer, session } = webSession
    const standing = await standingOf(context, webSession)
    if (!viewer || !session || !standing) return redirect('/auth/sign_in')
    if (standing.confirmed) return redirect(path)
    const errors = await fieldErrorsOf(webSession.translator, () =>
      changeAddress(context, viewer.userId, user.email, transaction => holdSession(transaction, session)),
    )
    if (errors) return addressPage(context, webSession, { ...standing, unconfirmed_email: user.email }, errors)
    webSession.flash(webSession.translator.t('setup.sent', { email: user.email.trim() }))
    return webSession.respond(redirect(path))
  },
})

const standingOf = async ({ database }: Context, { viewer }: WebSession): Promise<ConfirmationState | undefined> =>
  viewer ? readConfirmationState(database, viewer.userId) : undefined

function addressPage(
  context: Context,
  webSession: WebSession,
  standing: ConfirmationState,
  errors?: FieldErrors,
): Response {
  const email = standing.unconfirmed_email ?? standing.email
  const { t } = webSession.translator
  const sentTo = html`<strong>${errors ? standing.email : email}</strong>`
  const body = html`<h1>${t('setup.title')}</h1>
    <p>${phrase(t('setup.intro'), { email: sentTo })}</p>
    <p class="quiet">${t('setup.hint')}</p>
    ${form({ action: path, method: 'put', csrfToken: webSession.csrfToken() }, [
      field({
        label: t('field.email'),
        name: 'user[email]',
        type: 'email',
        value: email,
        autocomplete: 'email',
        required: true,
        verbatim: true,
        errors: errors?.['email'],
      }),
      submit(t('confirm.submit')),
    ])}`
  return pageResponse(context, webSession, { title: t('setup.title'), body })
}

function approvalPage(context: Context, webSession: WebSession): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('setup.approval.title')}</h1>
    <p>${t('setup.approval.intro')}</p>`
  return pageResponse(context, webSession, { title: t('setup.approval.title'), body })
}
