import type { Answer, Context } from '../../platform/http/index.ts'
import { field, form, hidden, html, pageAnswer, submit } from '../../platform/ui/index.ts'
import type { Visit } from '../sessions/index.ts'

/** Asks for the password again, before a page where much is at stake. */
export function challengePage(context: Context, visit: Visit, returnTo: string, alert?: string): Answer {
  const { say } = visit.speaker
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
