import { parseMarkup } from '../../core/text/markup.ts'
import { leadsElsewhere, type Own } from './first_link.ts'

/** Links in other servers' statuses that are not pages: mentions, hashtags and profiles. */
const NO_PAGE = /(?:^|\s)(?:mention|hashtag|u-url|h-card)(?:\s|$)/

/**
 * The first web address of a link outside of this server that is neither a mention nor a hashtag;
 * undefined when there is none.
 * @param mentioned the addresses of mentioned accounts: not all servers mark links to them
 */
export function linkInHtml(html: string, own: Own, mentioned: readonly string[]): string | undefined {
  let found: string | undefined
  parseMarkup(html, {
    onopentag(name, { href = '', class: classes = '' }) {
      if (found !== undefined || name !== 'a' || NO_PAGE.test(classes) || mentioned.includes(href)) return
      if (leadsElsewhere(href, own)) found = href
    },
  })
  return found
}
