import { PUBLIC } from './uris.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** A JSON object as received from another server; each member is checked where it is used. */
export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values of a member, which may be one value or a list. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * The id in a reference: a string, the `id` of an object, or that of the first member of a list.
 */
export function idOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  return isObject(first) ? textOf(first['id']) : textOf(first)
}

export const typesOf = (object: JsonObject): readonly string[] =>
  listOf(object['type']).flatMap(type => textOf(type) ?? [])

const PUBLIC_URIS: ReadonlySet<string> = new Set([PUBLIC, 'as:Public', 'Public'])
export const isPublicAudience = (uri: string): boolean => PUBLIC_URIS.has(uri)

/**
 * The host of an http or https URL with its port; undefined for any other text. The dot that may
 * end a name is removed, so that every spelling of a host is the same one.
 */
export function hostOf(uri: string): string | undefined {
  const { protocol, host = '' } = parseUrl(uri) ?? {}
  return protocol === 'https:' || protocol === 'http:' ? host.replace(/\.(?=$|:\d+$)/, '') : undefined
}

export const sameHost = (one: string, other: string): boolean => {
  const host = hostOf(one)
  return host !== undefined && host === hostOf(other)
}

const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'

/** Whether the document's context includes ActivityStreams. */
export const hasActivityStreamsContext = (document: JsonObject): boolean =>
  listOf(document['@context']).includes(ACTIVITY_STREAMS)

/** A date as documents have it: `xsd:dateTime` without fractions of a second. */
export const formatDateTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

/**
 * A time in milliseconds; NaN when it is missing or invalid. Some servers omit the offset, which
 * JavaScript takes for the time zone of this host; they mean UTC.
 */
export const timeInMs = (value: unknown): number => Date.parse((textOf(value) ?? '').replace(WITHOUT_OFFSET, '$1T$2Z'))

/** A time; undefined when it is missing, invalid or out of range. */
export function parseTime(value: unknown): Date | undefined {
  const time = timeInMs(value)
  // PostgreSQL and clients do not support all times that JavaScript parses.
  const isSupported = time > Date.UTC(1970, 0, 2) && time < Date.UTC(9999, 0, 1)
  return isSupported ? new Date(time) : undefined
}

/** What PostgreSQL's `integer` holds. */
export const MAX_COUNT = 2_147_483_647

export const parseCount = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, MAX_COUNT) : 0

/** The number of items that a collection states; null when it states none. */
export const totalIn = (collection: unknown): number | null =>
  isObject(collection) && typeof collection['totalItems'] === 'number' ? parseCount(collection['totalItems']) : null

/** PostgreSQL stores neither NUL nor an unpaired surrogate. */
const toStorable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

/** The escapes that can yield a text that PostgreSQL does not store: NUL and surrogates. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/**
 * Rounds a time up to a whole second. The time of an edit is rounded up, because other servers
 * ignore an edit that is not later than the post, whose time is rounded down.
 */
export const ceilToSecond = (date: Date): Date => new Date(Math.ceil(date.getTime() / 1000) * 1000)

/** Parses JSON; undefined for invalid JSON and for values that are no objects. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text, UNSTORABLE_ESCAPE.test(text) ? toStorable : undefined)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
