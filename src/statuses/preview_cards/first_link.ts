import type { Config } from '../../core/config.ts'
import { recognise } from '../../core/text/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** The limit of an index entry. In bytes of the normalised URL, which is ASCII. */
const MAX_URL_LENGTH = 2048

/**
 * The URL that identifies a card: spellings with another case or other escapes are the same page.
 * Undefined unless it is a web address.
 */
export function normaliseUrl(url: string): string | undefined {
  const { protocol, href = '' } = parseUrl(url) ?? {}
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && href.length <= MAX_URL_LENGTH ? href : undefined
}

/** The configuration that identifies links to this server. */
export type Own = Pick<Config, 'publicUrl' | 'localDomain'>

/** Whether a URL is a web address outside of this server. */
export function leadsElsewhere(written: string, { publicUrl, localDomain }: Own): boolean {
  const url = normaliseUrl(written)
  return url !== undefined && ![new URL(publicUrl).host, localDomain].includes(new URL(url).host)
}

/**
 * The first web address in a text outside of this server, as written; undefined when there is none.
 */
export function firstLink(text: string, own: Own): string | undefined {
  for (const entity of recognise(text)) {
    if (entity.kind === 'url' && leadsElsewhere(entity.url, own)) return entity.url
  }
  return undefined
}
