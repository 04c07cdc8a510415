import { signedInForm, signedInPage, isPasswordOf } from '../index.ts'
import { ApiError } from '../../../core/errors.ts'
import { operation, param, redirect, type Context } from '../../../platform/http/index.ts'
import type { Runner } from '../../../platform/database/index.ts'
import { sendNotice } from '../../../platform/mail/messages/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { hashPassword } from '../../../platform/password_hashing/index.ts'
import { changeAddress, fieldErrorsOf, readConfirmationState, type FieldErrors } from '../../sign_up/index.ts'
import { endOtherSessions, holdSession, type Session, type WebSession } from '../../sessions/index.ts'
import { credentialsPage, PATH } from './edit_page.ts'
import { newPasswordErrors, storePassword } from './password.ts'

/**
 * Shows e-mail address, password and sessions. Available in any account state, because the page
 * explains the state.
 */
export const showCredentials = signedInPage({
  path: PATH,
  summary: "Show the account's state, e-mail address, password form and browser sessions",
  params: {},
  show: (_, context, webSession, viewer) => credentialsPage(context, webSession, viewer),
})

const text = param.string({ default: '' })
const USER = { email: text, password: text, password_confirmation: text, current_password: text } as const

interface Wanted {
  readonly email: string
  readonly password: string
  readonly password_confirmation: string
}

/**
 * Changes the e-mail address, which must then be confirmed, or the password, which signs out all
 * other browsers.
 */
export const changeCredentials = signedInForm({
  method: ['PUT', 'PATCH'],
  path: '/auth',
  summary: 'Change address or password',
  params: { user: param.object(USER, { missing: 400 }) },
  unsuspended: true,
  async act({ user }, context, webSession, viewer) {
    const wrong = { current_password: [webSession.translator.t('form_error.wrong')] }
    const errors = (await isPasswordOf(context.database, viewer.userId, user.current_password))
      ? await change(context, webSession, viewer, user)
      : wrong
    if (errors === 'unchanged') {
      webSession.flash(webSession.translator.t('account.unchanged'))
      return webSession.respond(redirect(PATH))
    }
    if (errors === 'signed out') return webSession.respond(redirect('/auth/sign_in'))
    if (errors) return credentialsPage(context, webSession, viewer, { email: user.email, errors })
    webSession.flash(webSession.translator.t('account.saved'))
    return webSession.respond(redirect(PATH))
  },
})

/**
 * Changes the given values and returns the validation errors. The password is not changed if there
 * are any. Nothing is changed by a browser that was signed out meanwhile, as by a reset of the
 * password.
 */
async function change(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  { email, password, password_confirmation: again }: Wanted,
): Promise<FieldErrors | 'signed out' | 'unchanged' | undefined> {
  const { translator, session } = webSession
  if (!session) return 'signed out'
  if (password !== '') {
    const errors = await newPasswordErrors(translator, password, again)
    if (errors) return errors
  }
  const address = email.trim()
  const standing = await readConfirmationState(context.database, viewer.userId)
  const isNewAddress = address !== '' && address.toLowerCase() !== standing?.email.toLowerCase()
  if (!isNewAddress && password === '') return 'unchanged'
  if (isNewAddress) {
    let isSignedIn = true
    const errors = await fieldErrorsOf(translator, async () => {
      const hold = (transaction: Runner) => holdSession(transaction, session)
      isSignedIn = await changeAddress(context, viewer.userId, address, hold)
    })
    if (errors) return errors
    if (!isSignedIn) return 'signed out'
  }
  if (password === '' || (await changePassword(context, session, viewer, password))) return undefined
  return 'signed out'
}

async function changePassword(
  { database }: Context,
  session: Session,
  viewer: Viewer,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return database.transaction(async transaction => {
    if (!(await holdSession(transaction, session))) return false
    await storePassword(transaction, viewer.userId, passwordHash)
    await sendNotice(transaction, viewer.userId, 'password_changed')
    await endOtherSessions(transaction, session)
    return true
  })
}

/** Accounts are deleted on their own page, never here. */
export const refuseDeletion = operation({
  method: 'DELETE',
  path: '/auth',
  summary: 'Refuse account deletion, which has a page of its own',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'Empty',
  handle() {
    throw new ApiError('routeNotFound')
  },
})

/** The redirect for password managers (W3C draft "A Well-Known URL for Changing Passwords"). */
export const redirectToPassword = operation({
  method: 'GET',
  path: '/.well-known/change-password',
  summary: 'Redirect to the page for changing the password',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  params: {},
  returns: 'redirect',
  statuses: [301],
  handle: () => redirect(PATH, 301),
})
