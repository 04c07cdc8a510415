import { OutgoingFailure, type OutgoingResponse } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { signedHeaders, signerOf, type SignatureForm } from '../keys/index.ts'
import { ACTIVITY_TYPE, hostOf, LINKED_DATA_TYPE } from '../protocol/index.ts'
import type { Id } from '../../core/id.ts'
import { waitingBudget } from './waiting_budget.ts'
import { isReachable } from './reach.ts'

const TIMEOUT_MS = 30_000
const SILENCE_MS = 10_000
export const MAX_BYTES = 1_048_576
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ACCEPT = `${ACTIVITY_TYPE}, ${LINKED_DATA_TYPE}, text/html;q=0.1`

export interface SignedAnswer extends OutgoingResponse {
  /** The final URL. */
  readonly url: string
}

/** In whose name something is asked for. */
export interface Asking {
  /** The local account that may see it; by default the server's own actor asks. */
  readonly signer?: Id | undefined
  /** The secret of a bearcap, for its own host. */
  readonly token?: string | undefined
}

/** Sends one request; if its draft-cavage signature is refused, again with RFC 9421. */
async function get(services: Services, url: string, timeoutMs: number, asking: Asking): Promise<OutgoingResponse> {
  const signer = await signerOf(services, asking.signer ?? null)
  const secret = asking.token === undefined ? {} : { authorization: `Bearer ${asking.token}` }
  const ask = async (form: SignatureForm): Promise<OutgoingResponse> => {
    const headers = { accept: ACCEPT, ...secret, ...(await signedHeaders({ method: 'GET', url }, signer, form)) }
    return services.outgoing.request(url, { headers, timeoutMs, silenceMs: SILENCE_MS, maxBytes: MAX_BYTES })
  }
  const answer = await ask('cavage')
  return answer.status === 400 || answer.status === 401 ? ask('message') : answer
}

/**
 * A GET signed by the server's own actor, or by an account. Redirects are followed to servers that
 * may be reached, and each request is signed for its own target.
 * @throws OutgoingFailure without an answer, and for a URL that may not be requested
 */
export async function signedGet(services: Services, first: string, asking: Asking = {}): Promise<SignedAnswer> {
  const endMs = performance.now() + TIMEOUT_MS
  let url = first
  for (let left = MAX_REDIRECTS; ; left--) {
    if (!(await isReachable(services, url))) throw new OutgoingFailure('refused', `${url} may not be requested`)
    const leftMs = Math.max(1, endMs - performance.now())
    const own = hostOf(url) === hostOf(first) ? asking : { signer: asking.signer }
    const answer = await waitingBudget(services).ask(url, () => get(services, url, leftMs, own))
    const { location } = answer.headers
    if (!REDIRECTS.has(answer.status) || typeof location !== 'string' || !URL.canParse(location, url))
      return { ...answer, url }
    if (left === 0) throw new OutgoingFailure('refused', `${new URL(first).host} redirected too often`)
    url = new URL(location, url).href
  }
}
