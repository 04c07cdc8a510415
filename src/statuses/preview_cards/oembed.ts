import { cleanSide, cleanText, cleanUrl, MAX_LENGTH, type CardFacts } from './facts.ts'
import { sanitiseEmbed } from './embed_html.ts'

/** The facts in oEmbed data, which replace those of the page. */
export type OEmbedFacts = Pick<
  CardFacts,
  | 'type'
  | 'title'
  | 'authorName'
  | 'authorUrl'
  | 'providerName'
  | 'providerUrl'
  | 'html'
  | 'width'
  | 'height'
  | 'embedUrl'
> & { readonly imageUrl: string }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads oEmbed data (oembed.com, version 1.0). Undefined for invalid data, for `rich`, which is
 * HTML to be run and not to be shown, and for a missing photo or video: then the page's own data is
 * used.
 * @param url of the data
 * @param ownHost of this server, which nothing embedded may come from
 */
export function readOEmbed(body: string, url: string, ownHost: string): OEmbedFacts | undefined {
  const data = parseObject(body)
  const type = data && textOf(data['type'])
  if (!data || (type !== 'link' && type !== 'photo' && type !== 'video')) return undefined
  const embedUrl = type === 'photo' ? cleanUrl(textOf(data['url']), url) : ''
  const html = type === 'video' ? sanitiseEmbed(textOf(data['html']) ?? '', ownHost) : ''
  if ((type === 'photo' && embedUrl === '') || (type === 'video' && html === '')) return undefined
  return {
    type,
    title: cleanText(textOf(data['title']), MAX_LENGTH.title),
    authorName: cleanText(textOf(data['author_name']), MAX_LENGTH.name),
    authorUrl: cleanUrl(textOf(data['author_url']), url),
    providerName: cleanText(textOf(data['provider_name']), MAX_LENGTH.name),
    providerUrl: cleanUrl(textOf(data['provider_url']), url),
    html,
    width: type === 'link' ? 0 : cleanSide(data['width']),
    height: type === 'link' ? 0 : cleanSide(data['height']),
    imageUrl: cleanUrl(textOf(data['thumbnail_url']), url) || embedUrl,
    embedUrl,
  }
}
