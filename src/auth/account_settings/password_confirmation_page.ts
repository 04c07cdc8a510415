import type { Response, Context } from '../../platform/http/index.ts'
import { field, form, hidden, html, pageAnswer, submit } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'

/** Asks for the password again before a sensitive page. */
export function passwordConfirmationPage(
  context: Context,
  visit: WebSession,
  returnTo: string,
  alert?: string,
): Response {
  const { t: say } = visit.speaker
  const body = html`<h1>${say('challenge.title')}</h1>
    <p>${say('challenge.intro')}</p>
    ${form({ action: '/auth/challenge', csrfToken: visit.csrfToken() }, [
      hidden('form_challenge[return_to]', returnTo),
      field({
        label: say('field.current_password'),
        name: 'form_challenge[current_password]',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: true,
      }),
      submit(say('challenge.submit')),
    ])}`
  return pageAnswer(context, visit, {
    title: say('challenge.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
