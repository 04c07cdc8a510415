import { findLanguage } from '../../core/languages/index.ts'
import { escapeHtml } from '../../core/text/index.ts'
import { sanitiseEmbed } from './embed_html.ts'
import { cleanSide, cleanText, cleanUrl, MAX_LENGTH, type CardFacts } from './facts.ts'
import { readMarkup, type Markup } from './markup.ts'
import { readStructured } from './structured.ts'

/** The metadata of a page, and the URL of more. */
export interface PageFacts {
  readonly facts: CardFacts
  /** The URL of its oEmbed data; undefined when it has none. */
  readonly oembedUrl: string | undefined
}

const HANDLE = /^@?[a-z0-9_.-]+@[^\s@]+$/i

/**
 * Reads a page: Open Graph (ogp.me), Twitter card tags, `fediverse:creator`; then JSON-LD and plain
 * HTML for the missing facts.
 * @param url of the page after redirects
 * @param ownHost of this server, which nothing embedded may come from
 */
export function readPage(html: string, url: string, ownHost: string): PageFacts {
  const markup = readMarkup(html)
  const base = cleanUrl(markup.base, url) || url
  const structured = readStructured(markup.structured)
  const properties = new Map([...structured, ...markup.meta])
  const first = (...names: string[]): string | undefined =>
    names.map(name => properties.get(name)).find(content => content !== undefined)
  const author = first('article:author', 'og:article:author', 'author', 'ld:author')
  const authorUrl = /^https?:\/\//i.test(author?.trim() ?? '') ? cleanUrl(author) : ''
  const player = readPlayer(markup, base, ownHost)
  const facts: CardFacts = {
    type: player.html === '' ? 'link' : 'video',
    title: cleanText(first('og:title', 'twitter:title', 'ld:headline') ?? markup.title, MAX_LENGTH.title),
    description: cleanText(
      first('og:description', 'twitter:description', 'description', 'ld:description'),
      MAX_LENGTH.description,
    ),
    language: findLanguage(markup.lang) ?? findLanguage(first('og:locale', 'ld:language') ?? '') ?? null,
    authorName: cleanText(authorUrl === '' ? author : first('author', 'ld:author'), MAX_LENGTH.name),
    authorUrl,
    creator: readCreator(first('fediverse:creator')),
    providerName: cleanText(first('og:site_name', 'application-name', 'ld:publisher'), MAX_LENGTH.name),
    providerUrl: '',
    ...player,
    imageUrl:
      cleanUrl(
        first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src', 'ld:image'),
        base,
      ) || null,
    imageDescription: cleanText(first('og:image:alt', 'twitter:image:alt'), MAX_LENGTH.description),
    embedUrl: '',
    publishedAt: readTime(
      first(
        'article:published_time',
        'og:published_time',
        'og:article:published_time',
        'datepublished',
        'ld:published',
      ),
    ),
    isArticle: properties.get('og:type')?.trim().toLowerCase() === 'article' || structured.size > 0,
  }
  return { facts, oembedUrl: cleanUrl(markup.oembed, base) || undefined }
}

function readCreator(text: string | undefined): string | null {
  const handle = cleanText(text, MAX_LENGTH.name)
  return HANDLE.test(handle) ? handle : null
}

function readTime(text: string | undefined): Date | null {
  const time = new Date(text?.trim() ?? '')
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time : null
}

/** A video with a player that the page names. */
function readPlayer({ meta }: Markup, base: string, ownHost: string): Pick<CardFacts, 'html' | 'width' | 'height'> {
  const src = cleanUrl(meta.get('twitter:player'), base)
  const width = cleanSide(meta.get('twitter:player:width') ?? meta.get('og:video:width'))
  const height = cleanSide(meta.get('twitter:player:height') ?? meta.get('og:video:height'))
  const frame = `<iframe src="${escapeHtml(src)}" width="${width}" height="${height}" allowfullscreen></iframe>`
  const html = src !== '' && width > 0 && height > 0 ? sanitiseEmbed(frame, ownHost) : ''
  return html === '' ? { html, width: 0, height: 0 } : { html, width, height }
}
