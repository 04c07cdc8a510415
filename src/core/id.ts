/** A decimal id as in PostgreSQL and JSON: a positive 63-bit integer in a string. */
export type Id = string

const ID = /^[1-9][0-9]{0,18}$/
const MAX_SIZE = 9223372036854775807n

/** Parses an id from outside; undefined when the text is not an id. */
export function parseId(text: string): Id | undefined {
  if (!ID.test(text)) return undefined
  return text.length === 19 && BigInt(text) > MAX_SIZE ? undefined : text
}

/** Compares ids as numbers: first by length, then by character. */
export function compareIds(a: Id, b: Id): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/** The time in milliseconds of a snowflake id (its upper 48 bits). */
export const timeOfId = (id: Id): number => Number(BigInt(id) >> 16n)
