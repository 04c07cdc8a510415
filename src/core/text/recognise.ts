import { hashtagAt, type Hashtag } from './hashtag.ts'
import { mentionAt, type Mention } from './mention.ts'
import { countCodePoints } from './truncate.ts'
import { urlAround, type Span } from './url.ts'

/** An entity in a plain text. `start` and `end` are UTF-16 indexes; the parts are as typed. */
export type Entity =
  (Span & { kind: 'url'; url: string }) | (Mention & { kind: 'mention' }) | (Hashtag & { kind: 'hashtag' })

/** A longer URL stays plain text. In code points. */
const MAX_URL_LENGTH = 4096

const AT = 0x40
const COLON = 0x3a
const HASH = 0x23
const FULL_WIDTH_HASH = 0xff03

/**
 * The URLs, mentions and hashtags of a text, in order and without overlap: of two that overlap, the
 * one that starts first wins. Linear in the length of any text.
 */
export function recognise(text: string): Entity[] {
  const found: Entity[] = []
  let free = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === AT) {
      const mention = mentionAt(text, at)
      if (mention) found.push({ kind: 'mention', ...mention })
      free = mention?.end ?? free
    } else if (code === HASH || code === FULL_WIDTH_HASH) {
      const hashtag = hashtagAt(text, at)
      if (hashtag) found.push({ kind: 'hashtag', ...hashtag })
      free = hashtag?.end ?? free
    } else if (code === COLON) {
      const span = urlAround(text, at)
      if (span === undefined || span.start < free) continue
      const url = text.slice(span.start, span.end)
      if (countCodePoints(url) <= MAX_URL_LENGTH) found.push({ kind: 'url', ...span, url })
      free = span.end
    }
    if (free > at) at = free - 1
  }
  return found
}
