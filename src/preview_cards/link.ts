import type { Config } from '../config.ts'
import { recognise } from '../text/index.ts'

/** As long as an index takes. In bytes of the normalised URL, which is ASCII. */
const LONGEST_URL = 2048

/** The URL by which a card is known: whoever writes it in another case or with other escapes means the same page. Undefined for none of the web. */
export function normaliseUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && href.length <= LONGEST_URL ? href : undefined
}

/** The first web address of a text that does not lead to this server, as it is written there; undefined when there is none. */
export function linkIn(text: string, config: Pick<Config, 'publicUrl' | 'localDomain'>): string | undefined {
  const own = [new URL(config.publicUrl).host, config.localDomain]
  for (const entity of recognise(text)) {
    const url = entity.kind === 'url' ? normaliseUrl(entity.url) : undefined
    if (entity.kind === 'url' && url !== undefined && !own.includes(new URL(url).host)) return entity.url
  }
  return undefined
}
