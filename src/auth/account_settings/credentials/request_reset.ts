import { emailToFind } from '../../sign_up/index.ts'
import { operation, param, redirect } from '../../../platform/http/index.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { CSRF_PARAMETER, field, form, html, pageAnswer, submit } from '../../../platform/ui/index.ts'
import { openWebSession } from '../../sessions/index.ts'
import { sendReset } from './reset_email.ts'

export const showResetRequest = operation({
  method: 'GET',
  path: '/auth/password/new',
  summary: 'Form for requesting a password reset',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  async handle(_, context) {
    const visit = await openWebSession(context)
    if (visit.viewer) return redirect('/')
    const { t: say } = visit.speaker
    const body = html`<h1>${say('reset.title')}</h1>
      <p>${say('reset.intro')}</p>
      ${form({ action: '/auth/password', csrfToken: visit.csrfToken() }, [
        field({
          label: say('field.email'),
          name: 'user[email]',
          type: 'email',
          autocomplete: 'email',
          required: true,
          verbatim: true,
        }),
        submit(say('reset.submit')),
      ])}
      <p><a href="/auth/sign_in">${say('reset.back')}</a></p>`
    return pageAnswer(context, visit, { title: say('reset.title'), body })
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
    const visit = await openWebSession(context)
    visit.requireCsrf(parameters[CSRF_PARAMETER])
    await enqueue(context.database, sendReset, { email: emailToFind(user.email) })
    visit.flash(visit.speaker.t('reset.sent'))
    return visit.answer(redirect('/auth/sign_in', 303))
  },
})
