import sanitizeHtml from 'sanitize-html'
import { cutDeepMarkup } from '../../core/text/markup.ts'
import { cleanSide, cleanUrl } from './facts.ts'
import { parseUrl } from '../../core/parse_url.ts'

/**
 * The frame may run its own scripts under its own origin and open windows, but never navigate the
 * surrounding page.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'

/** In characters: it is in every rendering of a status. The longest URL fits, mostly escaped. */
const MAX_LENGTH = 4096

/**
 * The first frame of foreign HTML and nothing else: over https, of another site than `ownHost`,
 * sandboxed. Empty when there is none, or when it is too long.
 */
export function sanitiseEmbed(html: string, ownHost: string): string {
  let frames = 0
  const embed = sanitizeHtml(cutDeepMarkup(html), {
    allowedTags: ['iframe'],
    allowedAttributes: { iframe: ['src', 'width', 'height', 'allowfullscreen', 'sandbox'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    textFilter: () => '',
    transformTags: {
      iframe(tagName, { src = '', width, height, allowfullscreen }) {
        const sides = { width: cleanSide(width), height: cleanSide(height) }
        return {
          tagName,
          attribs: {
            src: cleanUrl(src),
            ...(sides.width > 0 && { width: String(sides.width) }),
            ...(sides.height > 0 && { height: String(sides.height) }),
            ...(allowfullscreen !== undefined && { allowfullscreen: '' }),
            sandbox: SANDBOX,
          },
        }
      },
    },
    exclusiveFilter({ tag, attribs: { src } }) {
      if (tag !== 'iframe') return false
      const host = src === undefined ? undefined : parseUrl(src)?.host
      const isFrame = host !== undefined && host !== ownHost && frames === 0
      if (isFrame) frames += 1
      return !isFrame
    },
  })
  return embed.length <= MAX_LENGTH ? embed : ''
}
