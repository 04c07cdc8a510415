import type { Config } from '../../core/config.ts'
import { recognise } from '../../core/text/index.ts'

/** As long as an index takes. In bytes of the normalised URL, which is ASCII. */
const MAX_URL_LENGTH = 2048

/** The URL by which a card is known: whoever writes it in another case or with other escapes means the same page. Undefined for none of the web. */
export function normaliseUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && href.length <= MAX_URL_LENGTH ? href : undefined
}

/** What tells links to this server. */
export type Own = Pick<Config, 'publicUrl' | 'localDomain'>

/** Whether a URL is of the web and does not lead to this server. */
export function leadsElsewhere(written: string, { publicUrl, localDomain }: Own): boolean {
  const url = normaliseUrl(written)
  return url !== undefined && ![new URL(publicUrl).host, localDomain].includes(new URL(url).host)
}

/** The first web address of a text that does not lead to this server, as it is written there; undefined when there is none. */
export function firstLink(text: string, own: Own): string | undefined {
  for (const entity of recognise(text)) {
    if (entity.kind === 'url' && leadsElsewhere(entity.url, own)) return entity.url
  }
  return undefined
}
