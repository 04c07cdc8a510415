import { pageHeaders, type Response, type Context } from '../../platform/http/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { form, html, pageAnswer, submit, hidden } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'

/* A captcha of hCaptcha's on the confirmation page (https://docs.hcaptcha.com). */

const SCRIPT = 'https://js.hcaptcha.com/1/api.js'
/** What its script loads. */
const SOURCES = 'https://hcaptcha.com https://*.hcaptcha.com'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 16 * 1024

/** The field that its script fills in. */
export const CAPTCHA_FIELD = 'h-captcha-response'
export const CAPTCHA_PATH = '/auth/captcha_confirmation'

/** Whether newcomers have to solve one: the setting asks for it, and there are keys. */
export const asksForCaptcha = ({ settings, config }: Pick<Services, 'settings' | 'config'>): boolean =>
  settings.get('captcha_enabled') && config.hcaptcha !== undefined

function isSuccess(text: string): boolean {
  try {
    const told: unknown = JSON.parse(text)
    return typeof told === 'object' && told !== null && 'success' in told && told.success === true
  } catch {
    // What is no JSON is no success.
    return false
  }
}

/** Whether hCaptcha says that the captcha was solved; not while it does not answer. */
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
  /** The link that is to be confirmed, which the form carries along. */
  readonly token: string
  readonly toApplication: boolean
  /** Whether it was not solved just now. */
  readonly failed?: boolean
}

/** The page with the captcha. Scripts run on no other page. */
export function captchaPage(
  context: Context,
  visit: WebSession,
  { token, toApplication, failed }: CaptchaPage,
): Response {
  const { t: say } = visit.speaker
  const body = html`<h1>${say('captcha.title')}</h1>
    <p>${say('captcha.intro')}</p>
    ${form({ action: CAPTCHA_PATH, csrfToken: visit.csrfToken() }, [
      hidden('confirmation_token', token),
      hidden('redirect_to_app', String(toApplication)),
      html`<div class="h-captcha" data-sitekey="${context.config.hcaptcha?.siteKey}"></div>`,
      submit(say('captcha.submit')),
    ])}`
  const policy =
    `default-src 'none'; script-src ${SOURCES}; frame-src ${SOURCES}; connect-src ${SOURCES}; ` +
    `style-src 'self' ${SOURCES}; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`
  return pageAnswer(context, visit, {
    title: say('captcha.title'),
    body,
    head: html`<script src="${SCRIPT}" async defer></script>`,
    headers: { ...pageHeaders(context), 'Content-Security-Policy': policy },
    ...(failed === true && { notice: { text: say('captcha.failed'), kind: 'alert' } }),
  })
}
