import { OutgoingFailure, type OutgoingResponse } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { signedHeaders, getSigner, type SignatureScheme } from '../keys/index.ts'
import { ACTIVITY_TYPE, hostOf, LINKED_DATA_TYPE } from '../protocol/index.ts'
import type { Id } from '../../core/id.ts'
import { waitingBudget } from './waiting_budget.ts'
import { mayRequest } from './federation_policy.ts'
import { parseUrl } from '../../core/parse_url.ts'

const TIMEOUT_MS = 30_000
const SILENCE_MS = 10_000
const MAX_BYTES = 1_048_576
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DOCUMENTS = `${ACTIVITY_TYPE}, ${LINKED_DATA_TYPE}`
const DOCUMENTS_AND_PAGES = `${DOCUMENTS}, text/html;q=0.1`

export interface SignedResponse extends OutgoingResponse {
  /** The final URL. */
  readonly url: string
}

/** The credentials of a request. */
export interface FetchOptions {
  /** The local account that signs, because it may see the object; default: the instance actor. */
  readonly signer?: Id | undefined
  /** The secret of a bearcap; only sent to the first URL's host. */
  readonly token?: string | undefined
  /**
   * The URL may be that of a page, which names its document. Some servers send no documents to
   * requests that accept pages, so those for ids do not.
   */
  readonly acceptsPages?: boolean
}

/** Sends one request; if its draft-cavage signature is refused, repeats it with RFC 9421. */
async function get(
  services: Services,
  url: string,
  deadlineMs: number,
  options: FetchOptions,
): Promise<OutgoingResponse> {
  const signer = await getSigner(services, options.signer ?? null)
  const authorization = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  const send = async (scheme: SignatureScheme): Promise<OutgoingResponse> => {
    const headers = {
      accept: options.acceptsPages ? DOCUMENTS_AND_PAGES : DOCUMENTS,
      ...authorization,
      ...(await signedHeaders({ method: 'GET', url }, signer, scheme)),
    }
    const timeoutMs = Math.max(1, deadlineMs - performance.now())
    return services.outgoing.request(url, { headers, timeoutMs, silenceMs: SILENCE_MS, maxBytes: MAX_BYTES })
  }
  const response = await send('cavage')
  return response.status === 400 || response.status === 401 ? send('rfc9421') : response
}

/**
 * Sends a GET signed by the instance actor or by a local account. Redirects are followed to servers
 * with which this one federates, and each request is signed for its own target.
 * @throws OutgoingFailure without an answer, and for a URL that may not be requested
 */
export async function signedGet(
  services: Services,
  first: string,
  options: FetchOptions = {},
): Promise<SignedResponse> {
  const deadlineMs = performance.now() + TIMEOUT_MS
  let url = first
  for (let redirectsLeft = MAX_REDIRECTS; ; redirectsLeft--) {
    if (!(await mayRequest(services, url))) throw new OutgoingFailure('refused', `${url} may not be requested`)
    const { signer, acceptsPages = false } = options
    const allowed = hostOf(url) === hostOf(first) ? options : { signer, acceptsPages }
    const response = await waitingBudget(services).run(url, () => get(services, url, deadlineMs, allowed))
    const { location } = response.headers
    const target = REDIRECTS.has(response.status) && typeof location === 'string' ? parseUrl(location, url) : undefined
    if (!target) return { ...response, url }
    if (redirectsLeft === 0) throw new OutgoingFailure('refused', `${new URL(first).host} redirected too often`)
    url = target.href
  }
}
