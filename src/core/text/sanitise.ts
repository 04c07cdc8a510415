import sanitizeHtml from 'sanitize-html'
import { cutDeepMarkup } from './markup.ts'
import { replaceMath } from './math.ts'
import { BLOCKS, CELLS, separateBlocks } from './separate_blocks.ts'
import { parseUrl } from '../parse_url.ts'

type Attributes = Record<string, string>

const ELEMENTS = 'p br span a abbr del s pre blockquote code b strong u sub sup i em ul ol li ruby rt rp'.split(' ')
/** Headings become paragraphs. */
const HEADINGS = 'h1 h2 h3 h4 h5 h6'.split(' ')

const ATTRIBUTES = {
  '*': ['lang'],
  a: ['href', 'rel', 'target', 'class', 'translate'],
  abbr: ['title'],
  span: ['class', 'translate'],
  ol: ['start', 'reversed'],
  li: ['value'],
  p: ['class'],
}

const LINK_SCHEMES = 'http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini'.split(' ')
const LINK = new RegExp(`^(?:${LINK_SCHEMES.join('|')}):`, 'i')
const CLASS = /^(?:(?:h|p|u|dt|e)-.+|mention|hashtag|ellipsis|invisible|quote-inline)$/

function cleanAttribute(name: string, value: string): string | undefined {
  if (name === 'class')
    return (
      value
        .split(/\s+/)
        .filter(part => CLASS.test(part))
        .join(' ') || undefined
    )
  if (name === 'translate') return value === 'no' ? value : undefined
  if (name === 'start' || name === 'value') return /^-?\d{1,9}$/.test(value) ? value : undefined
  if (name === 'rel' || name === 'target') return undefined
  if (name === 'href') return isLink(value) ? value : undefined
  return value
}

function isLink(href: string): boolean {
  return LINK.test(href) && parseUrl(href) !== undefined
}

/** Misskey and others mark a link as a hashtag by `rel` alone, clients look for the class. */
const isTag = ({ rel = '', class: classes = '' }: Attributes): boolean =>
  /(?:^|\s)tag(?:\s|$)/i.test(rel) && !/(?:^|\s)hashtag(?:\s|$)/.test(classes)

function cleanAttributes(element: string, attributes: Attributes): Attributes {
  const clean: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    const cleanValue = cleanAttribute(name, value)
    if (cleanValue !== undefined) clean[name] = cleanValue
  }
  if (element !== 'a') return clean
  if (isTag(attributes)) clean['class'] = `${clean['class'] ?? ''} hashtag`.trim()
  return { ...clean, rel: 'nofollow noopener', target: '_blank' }
}

/**
 * Reduces the HTML of another server to elements that are safe and that clients can show. Links
 * without a known scheme become text, images become links with their alternative text, headings
 * become paragraphs in bold, formulas become their source, other blocks become lines. What is
 * nested too deeply is left out.
 */
export function sanitiseRemote(html: string): string {
  let openLinks = 0
  const clean = sanitizeHtml(cutDeepMarkup(replaceMath(html)), {
    allowedTags: [...ELEMENTS, ...HEADINGS, ...BLOCKS, ...CELLS],
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: LINK_SCHEMES,
    allowProtocolRelative: false,
    onOpenTag(name) {
      if (name === 'a') openLinks++
    },
    onCloseTag(name) {
      if (name === 'a') openLinks--
    },
    transformTags: {
      '*': (element, attributes) => ({ tagName: element, attribs: cleanAttributes(element, attributes) }),
      a: (_, { href, ...attributes }) => {
        const isInner = openLinks > 1 || href === undefined
        return { tagName: 'a', attribs: isInner ? attributes : { href: href.trim(), ...attributes } }
      },
      img: (_, { src = '', alt = '' }) => {
        const href = src.trim()
        const isLinked = openLinks === 0 && isLink(href)
        return {
          tagName: isLinked ? 'a' : 'span',
          attribs: isLinked ? { href } : {},
          text: alt || (isLinked ? href : ''),
        }
      },
    },
    exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs['href'] === undefined ? 'excludeTag' : false),
  })
  // In sanitised HTML, `>` occurs only at the end of tags.
  return separateBlocks(clean)
    .replace(/<h[1-6]([^>]*)>/g, '<p$1><strong>')
    .replace(/<\/h[1-6]>/g, '</strong></p>')
}
