import { PUBLIC } from './uris.ts'

/** A JSON object as received from another server; each member is checked where it is used. */
export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member may have one value or a list of them. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The id in a reference: a text, an object with an id, or the first of a list. */
export function idOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  return isObject(first) ? textOf(first['id']) : textOf(first)
}

export const typesOf = (object: JsonObject): readonly string[] =>
  listOf(object['type']).flatMap(type => textOf(type) ?? [])

const EVERYBODY: ReadonlySet<string> = new Set([PUBLIC, 'as:Public', 'Public'])
export const isPublicAudience = (uri: string): boolean => EVERYBODY.has(uri)

/** The host with its port; undefined for a text that is not a web URL. */
export function hostOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : undefined
}

export const sameHost = (one: string, other: string): boolean => {
  const host = hostOf(one)
  return host !== undefined && host === hostOf(other)
}

const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'

/** Whether the document's context includes ActivityStreams. */
export const isActivityStreams = (document: JsonObject): boolean =>
  listOf(document['@context']).includes(ACTIVITY_STREAMS)

/** Dates in documents are in seconds. */
export const dateText = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** PostgreSQL stores no NUL, and no half of a pair of surrogates. */
const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

/** Only these escapes make texts that cannot be stored. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i

/**
 * The second in which a moment ends. The time of an edit is rounded up, because others take only
 * one after the post, whose time is rounded down.
 */
export const nextSecond = (date: Date): Date => new Date(Math.ceil(date.getTime() / 1000) * 1000)

/** The parsed text, if it is an object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text, SUSPICIOUS.test(text) ? storable : undefined)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
