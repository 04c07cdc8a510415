import type { Response, Context } from '../../platform/http/index.ts'
import { field, form, hidden, html, pageResponse, submit } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'

/** Asks for the password again before a sensitive page. */
export function passwordConfirmationPage(
  context: Context,
  webSession: WebSession,
  returnTo: string,
  alert?: string,
): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('challenge.title')}</h1>
    <p>${t('challenge.intro')}</p>
    ${form({ action: '/auth/challenge', csrfToken: webSession.csrfToken() }, [
      hidden('form_challenge[return_to]', returnTo),
      field({
        label: t('field.current_password'),
        name: 'form_challenge[current_password]',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: true,
      }),
      submit(t('challenge.submit')),
    ])}`
  return pageResponse(context, webSession, {
    title: t('challenge.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
