import { renderMarkdown } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { Services } from '../../platform/services.ts'
import { html, Html } from '../../platform/ui/index.ts'

/** What the operator says while sign-ups are closed; undefined for nothing. */
export function operatorsMessage({ settings }: Pick<Services, 'settings'>): Html | undefined {
  const message = settings.get('closed_registrations_message').trim()
  return message === '' ? undefined : html`<div class="rich">${new Html(renderMarkdown(message))}</div>`
}

/** What the operator says while sign-ups are closed, or that they are. */
export const closedMessage = (services: Pick<Services, 'settings'>, { t }: Translator): Html =>
  operatorsMessage(services) ?? html`<p>${t('sign_up.closed')}</p>`
