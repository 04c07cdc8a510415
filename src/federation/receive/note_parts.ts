import { cutCodePoints, displayTag, isValidTag, normaliseTag } from '../../core/text/index.ts'
import {
  hostOf,
  idOf,
  isObject,
  listOf,
  MAX_COUNT,
  parseCount,
  textOf,
  totalIn,
  typesOf,
  type JsonObject,
  isStorableUri,
  parseTime,
} from '../protocol/index.ts'

/*
 * Parse the parts of a Note or Question of another server within limits; unusable parts are left
 * out.
 */

const MAX_TAGS = 100
const MAX_TAG_LENGTH = 256
const MAX_OPTIONS = 500
const MAX_OPTION_CHARACTERS = 255

/** An http or https URL that is short enough to be stored; undefined for anything else. */
export const webUrl = (value: unknown): string | undefined => {
  const url = textOf(value)
  return url !== undefined && isStorableUri(url) && hostOf(url) !== undefined ? url : undefined
}

/**
 * The URL of a page or file: a string or a list of links; a link with an accepted type is
 * preferred.
 */
export function linkOf(value: unknown, type: (mediaType: string) => boolean): string | undefined {
  const links = listOf(value)
  const matching = links.find(link => isObject(link) && type(textOf(link['mediaType']) ?? ''))
  const link = matching ?? links[0]
  return webUrl(isObject(link) ? (link['href'] ?? link['url']) : link)
}

/**
 * The page of the first attached link: the article of a post on a link aggregator, or what the
 * author's server shows as the preview (FEP-8967).
 */
export function attachedLink(note: JsonObject): string | undefined {
  for (const item of listOf(note['attachment'])) {
    if (!isObject(item) || !typesOf(item).includes('Link')) continue
    const mediaType = textOf(item['mediaType']) ?? ''
    const url = /^(?:$|text\/html\b|application\/xhtml\b)/i.test(mediaType) ? webUrl(item['href']) : undefined
    if (url !== undefined) return url
  }
  return undefined
}

/**
 * The hashtags of a note: normalised names with the spellings to display. Other servers also allow
 * characters that are left out here.
 */
export function hashtagsIn(note: JsonObject): ReadonlyMap<string, string> {
  const result = new Map<string, string>()
  for (const tag of listOf(note['tag'])) {
    if (result.size === MAX_TAGS) break
    if (!isObject(tag) || !typesOf(tag).includes('Hashtag')) continue
    const given = (textOf(tag['name']) ?? '').replace(/^[#＃]/u, '')
    if (given.length > MAX_TAG_LENGTH) continue
    const name = displayTag(given)
    const identity = isValidTag(name) ? normaliseTag(name) : ''
    if (identity !== '' && !result.has(identity)) result.set(identity, name)
  }
  return result
}

/** The URIs of the accounts that a note mentions. */
export const mentionsIn = (note: JsonObject): string[] => [
  ...new Set(
    listOf(note['tag']).flatMap(tag =>
      isObject(tag) && typesOf(tag).includes('Mention') ? (textOf(tag['href']) ?? []) : [],
    ),
  ),
]

export interface NotePoll {
  readonly options: readonly string[]
  readonly tallies: readonly number[]
  /** Null when the other server does not say it, and each voter may have several votes. */
  readonly voters: number | null
  readonly multiple: boolean
  /** The planned end, or when it ended. */
  readonly expires_at: Date | null
  /** Null while it is open. */
  readonly ended_at: Date | null
}

/**
 * Pleroma sets `closed` to the time when the poll will end. A poll may be closed before its
 * `endTime`.
 */
function endOf(question: JsonObject): Pick<NotePoll, 'expires_at' | 'ended_at'> {
  const now = new Date()
  const closedAt = question['closed'] === true ? now : parseTime(question['closed'])
  const endsAt = parseTime(question['endTime'])
  const end = [closedAt, endsAt]
    .filter(time => time !== undefined && time <= now)
    .sort((a, b) => Number(a) - Number(b))[0]
  return { expires_at: end ?? endsAt ?? closedAt ?? null, ended_at: end ?? null }
}

function votersOf(question: JsonObject, multiple: boolean, tallies: readonly number[]): number | null {
  const count = question['votersCount']
  if (typeof count === 'number') return parseCount(count)
  if (multiple) return null
  return Math.min(
    MAX_COUNT,
    tallies.reduce((sum, one) => sum + one, 0),
  )
}

/** The poll of a Question; undefined for anything else. */
export function pollIn(question: JsonObject): NotePoll | undefined {
  if (!typesOf(question).includes('Question')) return undefined
  const multiple = listOf(question['anyOf']).length > 0
  const options = listOf(question[multiple ? 'anyOf' : 'oneOf'])
    .filter(isObject)
    .slice(0, MAX_OPTIONS)
  const namedOptions = options.filter(option => textOf(option['name']) !== undefined)
  if (namedOptions.length === 0) return undefined
  const tallies = namedOptions.map(option => totalIn(option['replies']) ?? 0)
  return {
    options: namedOptions.map(option => cutCodePoints(textOf(option['name']) ?? '', MAX_OPTION_CHARACTERS)),
    tallies,
    voters: votersOf(question, multiple, tallies),
    multiple,
    ...endOf(question),
  }
}

/** The URI of the status that a note quotes, in any of the members that servers use. */
export const quotedIn = (note: JsonObject): string | undefined =>
  ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote']
    .map(name => webUrl(idOf(note[name])))
    .find(uri => uri !== undefined)
