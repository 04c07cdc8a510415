import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { CSRF_PARAMETER, field, form, html, pageAnswer, phrase, submit } from '../../platform/ui/index.ts'
import { openWebSession, type WebSession } from '../sessions/index.ts'
import { changeAddress, findStanding, type Standing } from './address.ts'
import { fieldErrorsOf, type FieldErrors } from './form_errors.ts'

const path = '/auth/setup'

/** The waiting page after sign-up: for the confirmation of the address, then for approval. */
export const showSetup = operation({
  method: 'GET',
  path,
  summary: 'Waiting page: confirm the address, or await approval',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const visit = await openWebSession(context)
    const standing = await standingOf(context, visit)
    if (!standing) return redirect('/auth/sign_in')
    if (standing.confirmed && standing.approved) return redirect('/')
    return standing.confirmed ? approvalPage(context, visit) : addressPage(context, visit, standing)
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
    const visit = await openWebSession(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = visit
    const standing = await standingOf(context, visit)
    if (!viewer || !standing) return redirect('/auth/sign_in')
    if (standing.confirmed) return redirect(path)
    const errors = await fieldErrorsOf(visit.speaker, () => changeAddress(context, viewer.userId, user.email))
    if (errors) return addressPage(context, visit, { ...standing, unconfirmed_email: user.email }, errors)
    visit.flash(visit.speaker.t('setup.sent', { email: user.email.trim() }))
    return visit.answer(redirect(path))
  },
})

const standingOf = async ({ database }: Context, { viewer }: WebSession): Promise<Standing | undefined> =>
  viewer ? findStanding(database, viewer.userId) : undefined

function addressPage(context: Context, visit: WebSession, standing: Standing, errors?: FieldErrors): Response {
  const email = standing.unconfirmed_email ?? standing.email
  const { t: say } = visit.speaker
  const sentTo = html`<strong>${errors ? standing.email : email}</strong>`
  const body = html`<h1>${say('setup.title')}</h1>
    <p>${phrase(say('setup.intro'), { email: sentTo })}</p>
    <p class="quiet">${say('setup.hint')}</p>
    ${form({ action: path, method: 'put', csrfToken: visit.csrfToken() }, [
      field({
        label: say('field.email'),
        name: 'user[email]',
        type: 'email',
        value: email,
        autocomplete: 'email',
        required: true,
        verbatim: true,
        errors: errors?.['email'],
      }),
      submit(say('confirm.submit')),
    ])}`
  return pageAnswer(context, visit, { title: say('setup.title'), body })
}

function approvalPage(context: Context, visit: WebSession): Response {
  const { t: say } = visit.speaker
  const body = html`<h1>${say('setup.approval.title')}</h1>
    <p>${say('setup.approval.intro')}</p>`
  return pageAnswer(context, visit, { title: say('setup.approval.title'), body })
}
