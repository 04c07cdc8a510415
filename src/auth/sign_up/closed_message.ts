import { renderMarkdown } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { Services } from '../../platform/services.ts'
import { html, Html } from '../../platform/ui/index.ts'

/** What the operator says while sign-ups are closed, or that they are. */
export function closedMessage({ settings }: Pick<Services, 'settings'>, { t }: Translator): Html {
  const message = settings.get('closed_registrations_message').trim()
  return message === ''
    ? html`<p>${t('sign_up.closed')}</p>`
    : html`<div class="rich">${new Html(renderMarkdown(message))}</div>`
}
