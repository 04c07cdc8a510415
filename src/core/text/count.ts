import { recognise } from './recognise.ts'

/** What a URL counts, whatever its length. */
const URL_CHARACTERS = 23

/**
 * Characters that are a grapheme cluster of their own whatever other character of this set is beside them: no marks, no
 * joiners, no emoji parts, no line breaks of two characters. Counting these is free; the segmenter takes about a
 * microsecond a cluster.
 */
const SIMPLE =
  '\\n -~\\u00a0-\\u02ff\\u0370-\\u0482\\u048a-\\u058f\\u05d0-\\u05ea\\u0620-\\u064a\\u2010-\\u2027\\u2030-\\u205e' +
  '\\u3000-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff9d'
const INTRICATE = new RegExp(`[${SIMPLE}]?[^${SIMPLE}]+(?:[${SIMPLE}][^${SIMPLE}]+)*[${SIMPLE}]?`, 'g')

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The length of a text in grapheme clusters: what a reader would call characters. An emoji sequence is one. */
export function countGraphemes(text: string): number {
  let count = text.length
  for (const [run] of text.matchAll(INTRICATE)) {
    count -= run.length
    for (const _ of segmenter.segment(run)) count++
  }
  return count
}

/** A text with each URL as 23 letters and each mention without its domain. */
function shorten(text: string, isShortened: (url: string, before: string) => boolean): string {
  let shortened = ''
  let done = 0
  for (const entity of recognise(text)) {
    if (entity.kind === 'hashtag') continue
    if (entity.kind === 'url') {
      if (!isShortened(entity.url, text.slice(Math.max(0, entity.start - 2), entity.start))) continue
      shortened += text.slice(done, entity.start) + 'x'.repeat(URL_CHARACTERS)
    } else {
      shortened += text.slice(done, entity.start) + `@${entity.username}`
    }
    done = entity.end
  }
  return shortened + text.slice(done)
}

/**
 * What the text of a status counts towards its limit: grapheme clusters, a URL as 23, a mention without its domain. The
 * content warning is counted with `countGraphemes` and added.
 */
export function countStatus(text: string): number {
  return countGraphemes(shorten(text, () => true))
}

const WEB_URL = /^https?:/i
const LETTER_OR_DIGIT_BEFORE = /[\p{L}\p{M}\p{N}]$/u

/** What a bio counts towards its limit. As a status, but only web URLs that stand apart from a word before count 23. */
export function countNote(text: string): number {
  return countGraphemes(shorten(text, (url, before) => WEB_URL.test(url) && !LETTER_OR_DIGIT_BEFORE.test(before)))
}
