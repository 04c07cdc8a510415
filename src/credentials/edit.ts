import { Failure } from '../failure.ts'
import { operation, param, redirect, type Answer, type Context } from '../http/index.ts'
import type { Viewer } from '../oauth/token.ts'
import { CSRF_PARAMETER, field, form, html, pageAnswer, submit, type Html } from '../pages/index.ts'
import { hashPassword } from '../passwords/index.ts'
import {
  changeAddress,
  faultsOf,
  findStanding,
  newPasswordFields,
  type FieldErrors,
  type Standing,
} from '../registration/index.ts'
import { endOtherSessions, openVisit, type Visit } from '../sessions/index.ts'
import { isPasswordOf, newPasswordErrors, storePassword } from './password.ts'

const path = '/auth/edit'

/** Address and password. Open to whoever is signed in, whatever their state: it says what the state is. */
export const showCredentials = operation({
  method: 'GET',
  path,
  summary: 'Account settings: state, address, password',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const visit = await openVisit(context)
    if (visit.viewer) return credentialsPage(context, visit, visit.viewer)
    visit.remember(path)
    return visit.answer(redirect('/auth/sign_in'))
  },
})

const text = param.string({ default: '' })
const USER = { email: text, password: text, password_confirmation: text, current_password: text } as const

/** Changes the address, which then wants confirming, or the password, which signs out all other browsers. */
export const changeCredentials = operation({
  method: ['PUT', 'PATCH'],
  path: '/auth',
  summary: 'Change address or password',
  auth: 'public',
  scopes: [],
  page: true,
  params: { [CSRF_PARAMETER]: param.string({ optional: true }), user: param.object(USER, { missing: 400 }) },
  returns: 'redirect',
  async handle({ user, ...parameters }, context) {
    const visit = await openVisit(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    const { viewer } = visit
    if (!viewer) return redirect('/auth/sign_in')
    if (viewer.suspended) throw new Failure('forbidden')
    if (!(await isPasswordOf(context.database, viewer.userId, user.current_password)))
      return credentialsPage(context, visit, viewer, { current_password: ['is invalid'] })
    const standing = await findStanding(context.database, viewer.userId)
    const email = user.email.trim()
    const errors =
      (user.password === '' ? undefined : await newPasswordErrors(user.password, user.password_confirmation)) ??
      (email === '' || email.toLowerCase() === standing?.email.toLowerCase()
        ? undefined
        : await faultsOf(() => changeAddress(context, viewer.userId, email)))
    if (errors) return credentialsPage(context, visit, viewer, errors)
    if (user.password !== '') await changePassword(context, visit, viewer, user.password)
    visit.tell('Your account is changed. A new e-mail address counts as soon as you have confirmed it.')
    return visit.answer(redirect(path))
  },
})

async function changePassword({ database }: Context, visit: Visit, viewer: Viewer, password: string): Promise<void> {
  await storePassword(database, viewer.userId, await hashPassword(password))
  if (visit.session) await endOtherSessions(database, visit.session)
}

/** Accounts are deleted over their own page, never here. */
export const refuseDeletion = operation({
  method: 'DELETE',
  path: '/auth',
  summary: 'No account deletion here',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'Empty',
  handle() {
    throw new Failure('routeNotFound')
  },
})

/** Where password managers send people (a W3C draft: A Well-Known URL for Changing Passwords). */
export const leadToPassword = operation({
  method: 'GET',
  path: '/.well-known/change-password',
  summary: 'Where to change the password',
  auth: 'public',
  scopes: [],
  open: 'always',
  params: {},
  returns: 'redirect',
  handle: () => redirect(path, 301),
})

function stateOf({ suspended, state }: Viewer, standing: Standing): string | undefined {
  if (suspended) return 'Your account is suspended.'
  if (state === 'unconfirmed')
    return `Your e-mail address is not confirmed yet: we have sent an e-mail to ${standing.email}.`
  if (state === 'pending') return 'Your account waits for the approval of the people who run this server.'
  if (state === 'disabled') return 'Your account is disabled, has moved, or needs a second factor to be used.'
  return undefined
}

async function credentialsPage(
  context: Context,
  visit: Visit,
  viewer: Viewer,
  errors: FieldErrors = {},
): Promise<Answer> {
  const standing = await findStanding(context.database, viewer.userId)
  if (!standing) throw new Failure('notFound')
  const state = stateOf(viewer, standing)
  const { unconfirmed_email: wanted } = standing
  const body = html`<h1>Account settings</h1>
    ${state !== undefined && html`<p class="alert">${state}</p>`}
    ${wanted !== null && html`<p class="notice">Your new address ${wanted} waits for its confirmation.</p>`}
    ${!viewer.suspended && credentialsForm(visit, standing.email, errors)}
    <ul class="links">
      <li><a href="/oauth/authorized_applications">Authorized applications</a></li>
    </ul>`
  return pageAnswer(context, visit, { title: 'Account settings', body })
}

const credentialsForm = (visit: Visit, email: string, errors: FieldErrors): Html =>
  form({ action: '/auth', method: 'put', csrfToken: visit.csrfToken() }, [
    field({
      label: 'E-mail address',
      name: 'user[email]',
      type: 'email',
      value: email,
      autocomplete: 'email',
      errors: errors['email'],
      verbatim: true,
    }),
    newPasswordFields(errors, { change: true }),
    field({
      label: 'Current password',
      name: 'user[current_password]',
      type: 'password',
      autocomplete: 'current-password',
      hint: 'To make sure that it is you.',
      errors: errors['current_password'],
      required: true,
    }),
    submit('Save'),
  ])
