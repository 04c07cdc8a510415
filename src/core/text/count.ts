import { lazy } from '../lazy.ts'
import { recognise } from './recognise.ts'

/** The length of any URL, in characters. */
const URL_CHARACTERS = 23

/**
 * The most code units of a text that is counted by clusters, whose length is unlimited: 31 URLs of
 * the greatest length that count 23 each.
 */
const MAX_CODE_UNITS = 131_072

/**
 * Characters that are always a grapheme cluster of their own next to others of this set: no marks,
 * no joiners, no parts of emoji, no line breaks of two characters. Counting these is free; the
 * segmenter takes about a microsecond for a cluster.
 */
const SIMPLE =
  '\\n -~\\u00a0-\\u02ff\\u0370-\\u0482\\u048a-\\u058f\\u05d0-\\u05ea\\u0620-\\u064a\\u2010-\\u2027\\u2030-\\u205e' +
  '\\u3000-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff9d'
const INTRICATE = new RegExp(`[${SIMPLE}]?[^${SIMPLE}]+(?:[${SIMPLE}][^${SIMPLE}]+)*[${SIMPLE}]?`, 'g')

/** Made when first used: it takes 11 ms. */
const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/**
 * The length of a text in grapheme clusters, which readers perceive as characters. An emoji
 * sequence is one. A text of more than 131,072 code units has as many characters as those.
 */
export function countGraphemes(text: string): number {
  if (text.length > MAX_CODE_UNITS) return text.length
  let count = text.length
  for (const [run] of text.matchAll(INTRICATE)) {
    count -= run.length
    for (const _ of segmenter().segment(run)) count++
  }
  return count
}

/** Replaces each URL by 23 letters and each mention by its form without a domain. */
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
 * The length of a status's text for its limit: grapheme clusters, a URL as 23, a mention without
 * its domain. Content warnings are counted by `countGraphemes` and added.
 */
export function countStatus(text: string): number {
  return text.length > MAX_CODE_UNITS ? text.length : countGraphemes(shorten(text, () => true))
}

const WEB_URL = /^https?:/i
const LETTER_OR_DIGIT_BEFORE = /[\p{L}\p{M}\p{N}]$/u

/**
 * The length of a bio for its limit. As for a status, but a URL counts 23 only if it is a web URL
 * and does not follow a word directly.
 */
export function countNote(text: string): number {
  if (text.length > MAX_CODE_UNITS) return text.length
  return countGraphemes(shorten(text, (url, before) => WEB_URL.test(url) && !LETTER_OR_DIGIT_BEFORE.test(before)))
}
