import { operation, param, redirect, type Answer, type Context } from '../http/index.ts'
import { CSRF_PARAMETER, field, form, html, pageAnswer, submit } from '../pages/index.ts'
import { openVisit, type Visit } from '../sessions/index.ts'
import { changeAddress, findStanding, type Standing } from './address.ts'
import { faultsOf, type FieldErrors } from './faults.ts'

const path = '/auth/setup'

/** Where somebody waits who has signed up: for the confirmation of the address, then for the approval. */
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
    const visit = await openVisit(context)
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
    const visit = await openVisit(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = visit
    const standing = await standingOf(context, visit)
    if (!viewer || !standing) return redirect('/auth/sign_in')
    if (standing.confirmed) return redirect(path)
    const errors = await faultsOf(() => changeAddress(context, viewer.userId, user.email))
    if (errors) return addressPage(context, visit, { ...standing, unconfirmed_email: user.email }, errors)
    visit.tell(`We have sent an e-mail to ${user.email.trim()}.`)
    return visit.answer(redirect(path))
  },
})

const standingOf = async ({ database }: Context, { viewer }: Visit): Promise<Standing | undefined> =>
  viewer ? findStanding(database, viewer.userId) : undefined

function addressPage(context: Context, visit: Visit, standing: Standing, errors?: FieldErrors): Answer {
  const email = standing.unconfirmed_email ?? standing.email
  const body = html`<h1>Check your mailbox</h1>
    <p>
      We have sent an e-mail with a link to <strong>${errors ? standing.email : email}</strong>. Open the link to
      confirm that the address is yours. It is good for two days.
    </p>
    <p class="quiet">
      Nothing there? Look among the spam, or have it sent again. You can correct the address here too.
    </p>
    ${form({ action: path, method: 'put', csrfToken: visit.csrfToken() }, [
      field({
        label: 'E-mail address',
        name: 'user[email]',
        type: 'email',
        value: email,
        autocomplete: 'email',
        required: true,
        verbatim: true,
        errors: errors?.['email'],
      }),
      submit('Send it again'),
    ])}`
  return pageAnswer(context, visit, { title: 'Check your mailbox', body })
}

function approvalPage(context: Context, visit: Visit): Answer {
  const body = html`<h1>Almost there</h1>
    <p>
      Your e-mail address is confirmed. The people who run this server will look at your request now. You can use your
      account as soon as they have approved it.
    </p>`
  return pageAnswer(context, visit, { title: 'Waiting for approval', body })
}
