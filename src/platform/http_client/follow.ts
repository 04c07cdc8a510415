import { OutgoingFailure } from './failure.ts'
import type { Outgoing, OutgoingResponse, OutgoingRequest } from './outgoing.ts'
import { parseUrl } from '../../core/parse_url.ts'

export interface FollowingRequest extends Omit<OutgoingRequest, 'method' | 'body'> {
  /** The total time, including redirects. */
  timeoutMs: number
  /** The maximum number of redirects. */
  redirects: number
  /** Whether a URL may be requested, the first or one that a redirect leads to; else `refused`. */
  isAllowed?: (url: string) => Promise<boolean>
}

export interface FollowedResponse extends OutgoingResponse {
  /** The final URL. */
  readonly url: string
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The target of a redirect; undefined if the response is not a redirect, or has no target. */
function targetOf({ status, headers }: OutgoingResponse, url: string): string | undefined {
  const { location } = headers
  return REDIRECTS.has(status) && typeof location === 'string' ? parseUrl(location, url)?.href : undefined
}

/**
 * GETs a URL and follows redirects. Each step is checked like the first and sends the same headers,
 * which must not be secret.
 * @throws OutgoingFailure like `request`, and `refused` for too many redirects
 */
export async function follow(
  outgoing: Outgoing,
  first: string,
  { timeoutMs, redirects, isAllowed, ...options }: FollowingRequest,
): Promise<FollowedResponse> {
  const endMs = performance.now() + timeoutMs
  let url = first
  for (let left = redirects; ; left--) {
    if (isAllowed && !(await isAllowed(url)))
      throw new OutgoingFailure('refused', `${new URL(url).host} is not asked for anything`)
    const response = await outgoing.request(url, { ...options, timeoutMs: Math.max(1, endMs - performance.now()) })
    const target = targetOf(response, url)
    if (target === undefined) return { ...response, url }
    if (left === 0) throw new OutgoingFailure('refused', `${new URL(first).host} redirected too often`)
    url = target
  }
}
