import { createHmac } from 'node:crypto'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Webhook } from './webhook.ts'

const TIMEOUT_MS = 5000
const MAX_RESPONSE_BYTES = 1024
/** 4xx statuses that may be temporary; after any other, a retry is useless. */
const TEMPORARY_STATUSES = new Set([401, 408, 425, 429])

/** The result of one attempt. */
export type Outcome =
  | { readonly delivered: true; readonly status: number }
  | {
      readonly delivered: false
      readonly reason: string
      /** Whether the receiver responded, if only with a refusal. */
      readonly responded: boolean
      readonly isFinal: boolean
    }

const signBody = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/**
 * Sends a body to a webhook's URL, signed with its secret. Any 2xx response counts as delivered;
 * redirects are not followed.
 * @throws the signal's reason after an abort
 */
export async function sendToWebhook(
  { outgoing }: Pick<Services, 'outgoing'>,
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  body: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  try {
    const { status } = await outgoing.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature': signBody(secret, body) },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      ...(signal && { signal }),
    })
    if (status >= 200 && status < 300) return { delivered: true, status }
    const isFinal = status >= 300 && status < 500 && !TEMPORARY_STATUSES.has(status)
    return { delivered: false, reason: `The response has the status ${status}`, responded: true, isFinal }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return { delivered: false, reason: error.message, responded: false, isFinal: error.reason === 'refused' }
  }
}
