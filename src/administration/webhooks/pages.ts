import type { FieldErrors } from '../../auth/sign_up/index.ts'
import {
  actionButton,
  badge,
  choices,
  facts,
  field,
  form,
  hidden,
  html,
  linkButton,
  section,
  submit,
  time,
  type Html,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { maySubscribe, WEBHOOK_EVENT_NAMES } from './events.ts'
import { listWebhooks, type Webhook, type WebhookDraft } from './webhook.ts'

export const PATH = '/admin/webhooks'
const MAX_URL_CHARACTERS = 2048

/** All webhooks, newest first. */
export async function listPage({ context, t }: Staff): Promise<StaffPage> {
  const webhooks = await listWebhooks(context.database)
  return {
    title: t('webhooks.title'),
    navigationPath: PATH,
    actions: linkButton(`${PATH}/new`, t('webhooks.new'), 'primary'),
    body: [
      html`<p>${t('webhooks.intro')}</p>`,
      webhooks.length === 0
        ? html`<p class="empty">${t('webhooks.empty')}</p>`
        : html`<ul class="entries">
            ${webhooks.map(
              webhook =>
                html`<li class="entry">
                  <p>
                    <a href="${PATH}/${webhook.id}"><bdi>${webhook.url}</bdi></a> ${stateBadges(t, webhook)}
                  </p>
                  <p class="quiet">${webhook.events.join(', ')}</p>
                </li>`,
            )}
          </ul>`,
    ],
  }
}

const stateBadges = (t: Staff['t'], { enabled, failures }: Webhook): Html[] => [
  enabled ? badge(t('webhooks.enabled'), 'good') : badge(t('webhooks.disabled')),
  ...(failures > 0 ? [badge(t('webhooks.failures', { count: failures }), 'bad')] : []),
]

/** Submitted values that the form shows instead of the stored webhook. */
export interface FormState {
  readonly draft: WebhookDraft
  readonly errors: FieldErrors
}

function webhookForm(
  { t, webSession, viewer }: Staff,
  webhook: Webhook | undefined,
  state: FormState | undefined,
): Html {
  const draft: WebhookDraft = state?.draft ?? webhook ?? { url: '', events: [] }
  const eventNames = WEBHOOK_EVENT_NAMES.filter(name => maySubscribe(viewer, name) || draft.events.includes(name))
  const action = webhook ? `${PATH}/${webhook.id}` : PATH
  return form({ action, csrfToken: webSession.csrfToken(), ...(webhook && { method: 'put' }) }, [
    field({
      label: t('webhooks.url'),
      name: 'webhook[url]',
      type: 'url',
      value: draft.url,
      required: true,
      maxLength: MAX_URL_CHARACTERS,
      hint: t('webhooks.url_hint'),
      errors: state?.errors['url'],
    }),
    choices({
      legend: t('webhooks.events'),
      name: 'webhook[events]',
      choices: eventNames.map(name => [name, name] as const),
      chosen: new Set(draft.events),
      errors: state?.errors['events'],
    }),
    submit(t(webhook ? 'webhooks.save' : 'webhooks.create')),
  ])
}

/** The form of a new webhook. */
export const newPage = (staff: Staff, state?: FormState): StaffPage => ({
  title: staff.t('webhooks.new'),
  navigationPath: PATH,
  breadcrumbs: [[PATH, staff.t('webhooks.title')]],
  body: html`<div class="card section">${webhookForm(staff, undefined, state)}</div>`,
})

/** A webhook: its state and secret, its form, and its deletion. */
export function webhookPage(staff: Staff, webhook: Webhook, state?: FormState): StaffPage {
  const { t, translator, webSession } = staff
  const action = `${PATH}/${webhook.id}`
  const csrfToken = webSession.csrfToken()
  const { enabled, last_error: lastError, last_failed_at: failedAt } = webhook
  return {
    title: t('webhooks.edit'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('webhooks.title')]],
    body: [
      section('state', t('webhooks.state'), [
        facts([
          [t('webhooks.state'), stateBadges(t, webhook)],
          [t('webhooks.secret'), html`<code class="code whole">${webhook.secret}</code>`],
          [
            t('webhooks.last_error'),
            lastError !== null && [lastError, failedAt && [' · ', time(failedAt, translator)]],
          ],
        ]),
        html`<p class="hint">${t('webhooks.secret_hint')}</p>
          <div class="buttons">
            ${actionButton({ action: `${action}/test`, csrfToken, label: t('webhooks.test') })}
            ${actionButton({ action: `${action}/secret`, csrfToken, label: t('webhooks.rotate') })}
            ${actionButton(
              {
                action: `${action}/state`,
                csrfToken,
                label: t(enabled ? 'webhooks.disable' : 'webhooks.enable'),
              },
              hidden('enabled', enabled ? '0' : '1'),
            )}
            ${actionButton({ action, method: 'delete', csrfToken, label: t('webhooks.delete'), kind: 'danger' })}
          </div>`,
      ]),
      section('webhook', t('webhooks.webhook'), webhookForm(staff, webhook, state)),
    ],
  }
}
