/** Elements that browsers show on lines of their own, which clients do not know. */
export const BLOCKS =
  'address article aside caption center dd details div dl dt fieldset figcaption figure footer header hgroup hr legend main nav section summary table tr'.split(
    ' ',
  )
export const CELLS = ['td', 'th']

const OMITTED = new Map([...BLOCKS.map(name => [name, '<br />'] as const), ...CELLS.map(name => [name, ' '] as const)])
/** Clients show these on lines of their own. */
const SHOWN_BLOCKS = new Set('p pre blockquote ul ol li h1 h2 h3 h4 h5 h6'.split(' '))

const TOKEN = /<\/?([a-z0-9]+)[^>]*>|[^<]+/g

/**
 * Replaces the tags of omitted blocks by line breaks, and of table cells by spaces, where text
 * would stick together without them.
 * @param html sanitised: well-formed, with `<` and `>` in tags only
 */
export function separateBlocks(html: string): string {
  let result = ''
  let separator = ''
  /** Whether anything precedes in the same line. */
  let isInLine = false
  for (const [token, name] of html.matchAll(TOKEN)) {
    const omitted = name === undefined ? undefined : OMITTED.get(name)
    if (omitted !== undefined) {
      if (isInLine && separator !== '<br />') separator = omitted
      continue
    }
    const isShownBlock = name !== undefined && SHOWN_BLOCKS.has(name)
    const isContent = name === undefined ? token.trim() !== '' : !isShownBlock && !token.startsWith('</')
    if (isContent) result += separator
    if (isContent || isShownBlock) separator = ''
    if (name === 'br' || isShownBlock) isInLine = false
    else if (name === undefined && isContent) isInLine = true
    result += token
  }
  return result
}
