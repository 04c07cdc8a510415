import { c, query } from '../../../platform/database/index.ts'
import { operation, param, redirect, type Response, type Context } from '../../../platform/http/index.ts'
import { sendNotice } from '../../../platform/mail/messages/index.ts'
import { revokeAll } from '../../oauth/index.ts'
import { hashSecret } from '../../../core/secret.ts'
import { CSRF_PARAMETER, form, hidden, html, pageResponse, submit } from '../../../platform/ui/index.ts'
import { hashPassword } from '../../../platform/password_hashing/index.ts'
import { newPasswordFields, type FieldErrors } from '../../sign_up/index.ts'
import { openWebSession, type WebSession } from '../../sessions/index.ts'
import { newPasswordErrors, storePassword } from './password.ts'

const findReset = query(
  'auth/account_settings/credentials/find_reset',
  { token_hash: c.bytes },
  { id: c.id, email: c.text },
)

/** The page that the link in the e-mail opens. */
export const showReset = operation({
  method: 'GET',
  path: '/auth/password/edit',
  summary: 'Show the form for a new password',
  auth: 'public',
  scopes: [],
  page: true,
  params: { reset_password_token: param.string({ default: '' }) },
  returns: 'text/html',
  async handle({ reset_password_token: token }, context) {
    const webSession = await openWebSession(context)
    const found = await context.database.one(findReset, { token_hash: hashSecret(token) })
    if (found) return resetPage(context, webSession, { token, email: found.email })
    webSession.flash(webSession.translator.t('reset.stale'), 'alert')
    return webSession.respond(redirect('/auth/password/new'))
  },
})

/** Sets the password and revokes all sessions and tokens of the user. */
export const resetPassword = operation({
  method: ['PUT', 'PATCH'],
  path: '/auth/password',
  summary: 'Set a new password by the link in an e-mail',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object(
      {
        reset_password_token: param.string({ default: '' }),
        password: param.string({ default: '' }),
        password_confirmation: param.string({ default: '' }),
      },
      { missing: 400 },
    ),
  },
  returns: 'redirect',
  async handle({ user, ...parameters }, context) {
    const { database } = context
    const webSession = await openWebSession(context)
    webSession.requireCsrf(parameters[CSRF_PARAMETER])
    const { reset_password_token: token, password } = user
    const tokenHash = hashSecret(token)
    const found = await database.one(findReset, { token_hash: tokenHash })
    const errors = found ? await newPasswordErrors(webSession.translator, password, user.password_confirmation) : {}
    if (!found || errors)
      return resetPage(
        context,
        webSession,
        { token, email: found?.email },
        errors,
        found ? undefined : webSession.translator.t('reset.stale'),
      )
    const passwordHash = await hashPassword(password)
    const stored = await database.transaction(async transaction => {
      if (!(await storePassword(transaction, found.id, passwordHash, tokenHash))) return false
      await revokeAll(transaction, found.id)
      await sendNotice(transaction, found.id, 'password_changed')
      return true
    })
    if (!stored) return resetPage(context, webSession, { token }, {}, webSession.translator.t('reset.stale'))
    webSession.flash(webSession.translator.t('reset.done'))
    return webSession.respond(redirect('/auth/sign_in', 303))
  },
})

function resetPage(
  context: Context,
  webSession: WebSession,
  { token, email }: { readonly token: string; readonly email?: string | undefined },
  errors: FieldErrors = {},
  alert?: string,
): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('reset.choose.title')}</h1>
    <p>${t('reset.choose.intro')}</p>
    ${form({ action: '/auth/password', method: 'put', csrfToken: webSession.csrfToken() }, [
      hidden('user[reset_password_token]', token),
      // Password managers store the new password under it.
      email !== undefined && html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`,
      newPasswordFields(webSession.translator, errors),
      submit(t('reset.choose.submit')),
    ])}`
  return pageResponse(context, webSession, {
    title: t('reset.choose.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
