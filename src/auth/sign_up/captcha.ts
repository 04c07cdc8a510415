import { pageHeaders, type Response, type Context } from '../../platform/http/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { form, html, pageResponse, submit, hidden } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'

/** An hCaptcha on the confirmation page (https://docs.hcaptcha.com). */

const SCRIPT = 'https://js.hcaptcha.com/1/api.js'
/** The sources that its script loads from. */
const SOURCES = 'https://hcaptcha.com https://*.hcaptcha.com'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 16 * 1024

/** The field that its script fills in. */
export const CAPTCHA_FIELD = 'h-captcha-response'
export const CAPTCHA_PATH = '/auth/captcha_confirmation'

/** Whether new users have to solve a captcha: the setting requires it, and keys are configured. */
export const asksForCaptcha = ({ settings, config }: Pick<Services, 'settings' | 'config'>): boolean =>
  settings.get('captcha_enabled') && config.hcaptcha !== undefined

function isSuccess(text: string): boolean {
  try {
    const verdict: unknown = JSON.parse(text)
    return typeof verdict === 'object' && verdict !== null && 'success' in verdict && verdict.success === true
  } catch {
    // A response that is not JSON counts as a failure.
    return false
  }
}

/** Whether hCaptcha accepts the solution; false if hCaptcha does not respond. */
export async function isSolved({ config, outgoing, logger }: Services, response: string): Promise<boolean> {
  const { hcaptcha } = config
  if (hcaptcha === undefined || response === '') return false
  const { secretKey: secret, siteKey: sitekey, verifyUrl } = hcaptcha
  try {
    const { status, body, complete } = await outgoing.request(verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ secret, sitekey, response }).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      trusted: true,
    })
    return status === 200 && complete && isSuccess(body.toString('utf8'))
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    logger.warn({ err: error }, 'the captcha service did not answer')
    return false
  }
}

export interface CaptchaPage {
  /** The confirmation link's token, which the form sends back. */
  readonly token: string
  readonly toApplication: boolean
  /** Whether the last attempt failed. */
  readonly failed?: boolean
}

/** The page with the captcha. No other page runs scripts. */
export function captchaPage(
  context: Context,
  webSession: WebSession,
  { token, toApplication, failed }: CaptchaPage,
): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('captcha.title')}</h1>
    <p>${t('captcha.intro')}</p>
    ${form({ action: CAPTCHA_PATH, csrfToken: webSession.csrfToken() }, [
      hidden('confirmation_token', token),
      hidden('redirect_to_app', String(toApplication)),
      html`<div class="h-captcha" data-sitekey="${context.config.hcaptcha?.siteKey}"></div>`,
      submit(t('captcha.submit')),
    ])}`
  const policy =
    `default-src 'none'; script-src ${SOURCES}; frame-src ${SOURCES}; connect-src ${SOURCES}; ` +
    `style-src 'self' ${SOURCES}; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`
  return pageResponse(context, webSession, {
    title: t('captcha.title'),
    body,
    head: html`<script src="${SCRIPT}" async defer></script>`,
    headers: { ...pageHeaders(context), 'Content-Security-Policy': policy },
    ...(failed === true && { notice: { text: t('captcha.failed'), kind: 'alert' } }),
  })
}
