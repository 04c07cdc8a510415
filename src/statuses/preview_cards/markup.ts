import { parseMarkup } from '../../core/text/markup.ts'

/** The metadata in the markup of a page. */
export interface Markup {
  /** Of the first `title`. */
  readonly title: string
  /** The language of the document, as written. */
  readonly lang: string
  /**
   * The contents of `meta` by property or name in lower case; of duplicates the first that is not
   * empty.
   */
  readonly meta: ReadonlyMap<string, string>
  /** The texts of its JSON-LD. */
  readonly structured: readonly string[]
  /** The URL of the page's oEmbed data, as written. */
  readonly oembed: string | undefined
  /** The base of relative URLs, as written. */
  readonly base: string | undefined
}

type Attributes = Readonly<Record<string, string>>

/** Flickr writes `alternative`. */
const isOembed = ({ rel = '', type = '' }: Attributes): boolean =>
  /(?:^|\s)alternat(?:e|ive)(?:\s|$)/i.test(rel) && type.trim().toLowerCase() === 'application/json+oembed'

const isJsonLd = (name: string, { type = '' }: Attributes): boolean =>
  name === 'script' && type.trim().toLowerCase() === 'application/ld+json'

/** Reads the markup of a page, however broken. */
export function readMarkup(html: string): Markup {
  const meta = new Map<string, string>()
  const found = { title: '', lang: '', oembed: undefined as string | undefined, base: undefined as string | undefined }
  const structured: string[] = []
  let titles = 0

  function read(name: string, attributes: Attributes): void {
    if (name === 'html') found.lang ||= attributes['lang'] ?? ''
    else if (name === 'base') found.base ??= attributes['href']
    else if (name === 'link' && isOembed(attributes)) found.oembed ??= attributes['href']
    else if (name === 'title') titles += 1
    else if (name === 'meta') {
      const key = (attributes['property'] ?? attributes['name'] ?? attributes['itemprop'] ?? '').trim().toLowerCase()
      const content = attributes['content'] ?? ''
      if (key !== '' && content.trim() !== '' && !meta.has(key)) meta.set(key, content)
    }
  }

  let open: string | undefined
  let isStructured = false
  parseMarkup(html, {
    onopentag(name, attributes) {
      open = name
      isStructured = isJsonLd(name, attributes)
      if (isStructured) structured.push('')
      read(name, attributes)
    },
    onclosetag() {
      open = undefined
      isStructured = false
    },
    ontext(text) {
      if (open === 'title' && titles === 1) found.title += text
      else if (isStructured) structured.push((structured.pop() ?? '') + text)
    },
  })
  return { ...found, meta, structured }
}
