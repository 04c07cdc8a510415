import { OutgoingFailure } from './failure.ts'
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from './outgoing.ts'

export interface FollowingRequest extends Omit<OutgoingRequest, 'method' | 'body'> {
  /** For everything, redirects included. */
  timeoutMs: number
  /** Most redirects. */
  redirects: number
}

export interface FollowedAnswer extends OutgoingAnswer {
  /** Where it came from in the end. */
  readonly url: string
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The target of a redirect; undefined when the answer is none, or names no target. */
function targetOf({ status, headers }: OutgoingAnswer, url: string): string | undefined {
  const { location } = headers
  if (!REDIRECTS.has(status) || typeof location !== 'string' || !URL.canParse(location, url)) return undefined
  return new URL(location, url).href
}

/**
 * GETs a URL and goes where redirects lead; each step is checked as the first is, and carries the same headers, so they must be no secrets.
 * @throws OutgoingFailure as `request`, and `refused` for one redirect too many
 */
export async function follow(
  outgoing: Outgoing,
  first: string,
  { timeoutMs, redirects, ...wanted }: FollowingRequest,
): Promise<FollowedAnswer> {
  const endMs = Date.now() + timeoutMs
  let url = first
  for (let left = redirects; ; left--) {
    const answer = await outgoing.request(url, { ...wanted, timeoutMs: Math.max(1, endMs - Date.now()) })
    const target = targetOf(answer, url)
    if (target === undefined) return { ...answer, url }
    if (left === 0) throw new OutgoingFailure('refused', `${new URL(first).host} redirects too often`)
    url = target
  }
}
