import { parseMarkup } from '../core/text/markup.ts'
import { follow, type Outgoing } from '../platform/http_client/index.ts'
import { parseUrl } from '../core/parse_url.ts'

const PAGE = { timeoutMs: 10_000, maxBytes: 1024 * 1024, redirects: 5 } as const
const HEADERS = { accept: 'text/html', 'accept-encoding': 'identity' } as const

/** The targets of a page's `rel="me"` links, as absolute URLs. */
export function readIdentities(html: string, pageUrl: string): Set<string> {
  const found = new Set<string>()
  parseMarkup(html, {
    onopentag(name, { rel = '', href = '' }) {
      const isMe = rel.toLowerCase().split(/\s+/).includes('me')
      const url = (name === 'a' || name === 'link') && isMe ? parseUrl(href, pageUrl) : undefined
      if (url) found.add(url.href)
    },
  })
  return found
}

/**
 * Whether a page links back to a profile with `rel="me"`.
 * @throws OutgoingFailure when there is no response
 */
export async function linksBack(
  outgoing: Outgoing,
  url: string,
  profileUrl: string,
  signal: AbortSignal,
): Promise<boolean> {
  const response = await follow(outgoing, url, { ...PAGE, headers: HEADERS, signal })
  if (response.status !== 200) return false
  const expected = new URL(profileUrl).href.toLowerCase()
  return [...readIdentities(response.body.toString(), response.url)].some(found => found.toLowerCase() === expected)
}
