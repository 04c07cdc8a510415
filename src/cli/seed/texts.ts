import { formatNote, formatStatus, type FormatContext } from '../../core/text/index.ts'
import type { People } from './people.ts'
import type { Posts } from './posts.ts'
import type { Attachments } from './attachments.ts'
import { createRandom, type Random } from './random.ts'
import { LANGUAGES, TAG_WORDS, WARNINGS, type Language } from './words.ts'

/** The text of a status. */
export interface Text {
  text: string
  content: string
  spoilerText: string
  sensitive: boolean
  language: string
}

const NONE = -1
const OWN_LANGUAGE_SHARE = 0.92
const WARNING_SHARE = 0.04
const SENSITIVE_SHARE = 0.01
const COMMON_LANGUAGE: Language | undefined = LANGUAGES[0]

/** The unique spelling of hashtag number `rank`, most common first. */
export function tagName(rank: number): string {
  const words = TAG_WORDS.length
  const first = TAG_WORDS[rank % words] ?? ''
  const round = Math.floor(rank / words)
  if (round === 0) return first
  const second = TAG_WORDS[(rank + round) % words] ?? ''
  return round < words ? `${first}${second}` : `${first}${second}${Math.floor(round / words)}`
}

const fillPlaceholders = (sentence: string, { things, places, times }: Language, random: Random): string =>
  sentence.replace(/\{(thing|place|time)\}/g, (_, slot: string) =>
    random.pick(slot === 'thing' ? things : slot === 'place' ? places : times),
  )

function writeSentences(language: Language, random: Random): string {
  let text = ''
  for (let left = 1 + Math.floor(random.exponential(1.3)); left > 0 && text.length < 330; left -= 1) {
    const sentence = fillPlaceholders(random.pick(language.sentences), language, random)
    const separator = text === '' || language.code === 'ja' ? '' : random.chance(0.15) ? '\n\n' : ' '
    text += separator + sentence.charAt(0).toUpperCase() + sentence.slice(1)
  }
  return text
}

/** Generates the texts of statuses, which must be requested in order. */
export function createWriter(
  people: People,
  posts: Posts,
  attachments: Attachments,
  options: { seed: string; publicUrl: string },
): { status(index: number): Text; note(account: number): string } {
  const random = createRandom(options.seed, 'texts')
  const { publicUrl } = options
  const context: FormatContext = {
    mentions: username => ({ username, domain: null, url: `${publicUrl}/@${username}` }),
    tagUrl: name => `${publicUrl}/tags/${encodeURIComponent(name.toLowerCase())}`,
  }

  function status(index: number): Text {
    const ownLanguage = people.languages[posts.authors[index] ?? 0]
    const language = (random.chance(OWN_LANGUAGE_SHARE) ? ownLanguage : COMMON_LANGUAGE) ?? random.pick(LANGUAGES)
    let text = ''
    for (let at = posts.mentionStarts[index] ?? 0; at < (posts.mentionStarts[index + 1] ?? 0); at += 1) {
      text += `@${people.usernames[posts.mentioned[at] ?? 0] ?? ''} `
    }
    text += writeSentences(language, random)
    const page = attachments.links[index] ?? NONE
    if (page !== NONE) text += ` ${attachments.urlOf(page)}`
    for (let at = posts.tagStarts[index] ?? 0; at < (posts.tagStarts[index + 1] ?? 0); at += 1) {
      text += `${at === (posts.tagStarts[index] ?? 0) ? '\n\n' : ' '}#${tagName(posts.tagged[at] ?? 0)}`
    }
    const warns = random.chance(WARNING_SHARE)
    return {
      text,
      content: formatStatus(text, context),
      spoilerText: warns ? random.pick(WARNINGS) : '',
      sensitive: warns || random.chance(SENSITIVE_SHARE),
      language: language.code,
    }
  }
  return { status, note: account => formatNote(people.notes[account] ?? '', context) }
}
