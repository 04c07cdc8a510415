import encodeQr from 'qr'
import { settingsPage } from '../account_settings/index.ts'
import type { Response, Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { field, form, Html, html, submit } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { setupUri } from './totp.ts'

export const OVERVIEW = '/settings/two_factor_authentication_methods'
export const BEGIN = '/settings/otp_authentication'
export const CONFIRM = '/settings/two_factor_authentication/confirmation'
export const CODES = '/settings/two_factor_authentication/recovery_codes'
export const DISABLE = `${OVERVIEW}/disable`

/** The state of the second factor, and the possible actions. */
export function overviewPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  factor: { enabled_at: Date | null; codes_left: number; required: boolean },
): Response {
  const { t } = webSession.translator
  const csrfToken = webSession.csrfToken()
  const { enabled_at: enabledAt, codes_left: left, required } = factor
  const off = html`<p>${t('two_factor.intro')}</p>
    ${required && html`<p class="alert">${t('two_factor.required')}</p>`}
    ${form({ action: BEGIN, csrfToken }, submit(t('two_factor.set_up')))}`
  const on = html`<p class="notice">${t('two_factor.on', { date: enabledAt?.toISOString().slice(0, 10) ?? '' })}</p>
    ${form({ action: BEGIN, csrfToken }, submit(t('two_factor.change'), 'plain'))}
    <h2>${t('security_keys.title')}</h2>
    <p>${t('security_keys.intro')}</p>
    <p><a class="button plain" href="/settings/security_keys">${t('security_keys.manage')}</a></p>
    <h2>${t('two_factor.codes.title')}</h2>
    <p>${t('two_factor.codes.left', { count: left })}</p>
    ${form({ action: CODES, csrfToken }, submit(t('two_factor.codes.renew'), 'plain'))}
    ${
      !required &&
      html`<h2>${t('two_factor.disable')}</h2>
        <p>${t('two_factor.disable_hint')}</p>
        ${form({ action: DISABLE, csrfToken }, submit(t('two_factor.disable'), 'danger'))}`
    }`
  const body = enabledAt === null ? off : on
  return settingsPage(context, webSession, viewer, { title: t('two_factor.title'), body, navigationPath: OVERVIEW })
}

/** The secret as a QR code and as text, with a field for its first code. */
export function scanPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  { secret, email, alert }: { secret: string; email: string; alert?: string | undefined },
): Response {
  const { t } = webSession.translator
  const drawing = new Html(encodeQr(setupUri(secret, context.config.localDomain, email), 'svg'))
  const body = html`<p>${t('two_factor.scan.intro')}</p>
    <div class="qr" role="img" aria-label="${t('two_factor.scan.alt')}">${drawing}</div>
    <p>${t('two_factor.scan.by_hand')}</p>
    <p class="code whole">${secret.match(/.{1,4}/g)?.join(' ')}</p>
    ${form({ action: CONFIRM, csrfToken: webSession.csrfToken() }, [
      field({
        label: t('field.code'),
        name: 'form_two_factor_confirmation[otp_attempt]',
        autocomplete: 'one-time-code',
        inputMode: 'numeric',
        hint: t('two_factor.scan.code_hint'),
        required: true,
        verbatim: true,
      }),
      submit(t('two_factor.scan.submit')),
    ])}`
  return settingsPage(context, webSession, viewer, {
    title: t('two_factor.scan.title'),
    body,
    navigationPath: OVERVIEW,
    alert,
  })
}

/** The recovery codes; no other page shows them. */
export function codesPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  { codes, isFirst, nextPath }: { codes: readonly string[]; isFirst: boolean; nextPath: string },
): Response {
  const { t } = webSession.translator
  const body = html`${isFirst ? html`<p class="notice" role="status">${t('two_factor.enabled')}</p>` : html`<p>${t('two_factor.codes.old')}</p>`}
    <p>${t('two_factor.codes.intro')}</p>
    <ul class="codes">
      ${codes.map(code => html`<li><code class="code whole">${code}</code></li>`)}
    </ul>
    <p><a class="button primary" href="${nextPath}">${t('two_factor.codes.kept')}</a></p>`
  return settingsPage(context, webSession, viewer, {
    title: t('two_factor.codes.title'),
    body,
    navigationPath: OVERVIEW,
  })
}
