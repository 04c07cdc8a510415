import { decodeHTMLStrict } from 'entities/decode'
import { cutCodePoints } from '../../core/text/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** The content of a preview card. Empty texts mean unknown. */
export interface CardFacts {
  readonly type: 'link' | 'photo' | 'video'
  readonly title: string
  readonly description: string
  readonly language: string | null
  readonly authorName: string
  readonly authorUrl: string
  /** The handle of the account that the page names as its author. */
  readonly creator: string | null
  readonly providerName: string
  readonly providerUrl: string
  /** Sanitised. */
  readonly html: string
  /** Of the content of `html` or `embedUrl`; 0 for unknown. */
  readonly width: number
  readonly height: number
  readonly imageUrl: string | null
  readonly imageDescription: string
  readonly embedUrl: string
  readonly publishedAt: Date | null
  /** Whether the page calls itself an article: only articles trend. */
  readonly isArticle: boolean
}

/** The card of a page that was fetched. */
export interface PageCard extends CardFacts {
  /** The page after redirects: its host vouches for what the card says. */
  readonly pageUrl: string
}

/** In characters. Longer texts are cut. */
export const MAX_LENGTH = { name: 200, title: 500, description: 2000 } as const

/** In characters. Longer URLs are dropped. */
const MAX_URL_LENGTH = 2048
const MAX_SIDE = 100_000

/**
 * A foreign text as one line that can be stored: without control characters, cut. Many sites encode
 * characters twice, or in JSON, so that `AT&amp;T` would be shown.
 */
export function cleanText(text: string | undefined, limit: number): string {
  const line = decodeHTMLStrict(text ?? '')
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
  return cutCodePoints(line.trim(), limit)
}

/** The web address in the text; empty when it is invalid. */
export function cleanUrl(text: string | undefined, base?: string): string {
  const trimmed = (text ?? '').trim()
  const url = trimmed === '' ? undefined : parseUrl(trimmed, base)
  if (!url) return ''
  const { protocol, username, password, href } = url
  const isWeb = (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
  return isWeb && href.length <= MAX_URL_LENGTH ? href : ''
}

/** A width or height in pixels; 0 when it is invalid. */
export function cleanSide(value: unknown): number {
  const side = typeof value === 'string' && /^\d{1,9}(?:px)?$/.test(value) ? Number.parseInt(value, 10) : value
  return typeof side === 'number' && Number.isFinite(side) && side >= 1 ? Math.min(Math.round(side), MAX_SIDE) : 0
}
