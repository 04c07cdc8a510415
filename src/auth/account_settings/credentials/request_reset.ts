import { emailToFind } from '../../sign_up/index.ts'
import { operation, param, redirect } from '../../../platform/http/index.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { CSRF_PARAMETER, field, form, html, pageResponse, submit } from '../../../platform/ui/index.ts'
import { openWebSession } from '../../sessions/index.ts'
import { sendReset } from './reset_email.ts'

export const showResetRequest = operation({
  method: 'GET',
  path: '/auth/password/new',
  summary: 'Show the form for requesting a password reset',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    if (webSession.viewer) return redirect('/')
    const { t } = webSession.translator
    const body = html`<h1>${t('reset.title')}</h1>
      <p>${t('reset.intro')}</p>
      ${form({ action: '/auth/password', csrfToken: webSession.csrfToken() }, [
        field({
          label: t('field.email'),
          name: 'user[email]',
          type: 'email',
          autocomplete: 'email',
          required: true,
          verbatim: true,
        }),
        submit(t('reset.submit')),
      ])}
      <p><a href="/auth/sign_in">${t('reset.back')}</a></p>`
    return pageResponse(context, webSession, { title: t('reset.title'), body })
  },
})

/** Does the same work and sends the same response whether or not the address belongs to a user. */
export const requestReset = operation({
  method: 'POST',
  path: '/auth/password',
  summary: 'Send the password reset e-mail',
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
    await enqueue(context.database, sendReset, { email: emailToFind(user.email) })
    webSession.flash(webSession.translator.t('reset.sent'))
    return webSession.respond(redirect('/auth/sign_in', 303))
  },
})
