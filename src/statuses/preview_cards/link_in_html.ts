import { parseMarkup } from '../../core/text/markup.ts'
import { leadsElsewhere, type Own } from './first_link.ts'

/** Links in other servers' statuses that are not pages: mentions, hashtags and profiles. */
const NO_PAGE = /(?:^|\s)(?:mention|hashtag|u-url|h-card|tag)(?:\s|$)/

/**
 * The first web address of a link outside of this server that is neither a mention nor a hashtag;
 * undefined when there is none.
 */
export function linkInHtml(html: string, own: Own): string | undefined {
  let found: string | undefined
  parseMarkup(html, {
    onopentag(name, { href = '', class: classes = '', rel = '' }) {
      if (found !== undefined || name !== 'a' || NO_PAGE.test(classes) || NO_PAGE.test(rel)) return
      if (leadsElsewhere(href, own)) found = href
    },
  })
  return found
}
