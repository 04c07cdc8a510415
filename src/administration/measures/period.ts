const DAY_MS = 86_400_000
const MAX_MONTHS = 24
/** The first and the last day whose text has ten characters. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z') / DAY_MS

/** A day (UTC), as the number of days since January 1, 1970. */
export type Day = number

/** Days from the first to the last, both included; none when the last is before the first. */
export interface Period {
  readonly first: Day
  readonly last: Day
}

export const parseDay = (text: string): Day => Date.parse(`${text}T00:00:00Z`) / DAY_MS
export const formatDay = (day: Day): string =>
  new Date(Math.min(Math.max(day, FIRST_DAY), LAST_DAY) * DAY_MS).toISOString().slice(0, 10)
export const today = (): Day => Math.floor(Date.now() / DAY_MS)

/** The first day of a month. */
export const startOfMonth = (day: Day): Day => day - new Date(day * DAY_MS).getUTCDate() + 1
/** The first day of the following month. */
export const startOfNextMonth = (day: Day): Day => startOfMonth(startOfMonth(day) + 31)

/** The same day of an earlier month, or the last one of a shorter month. */
export function monthsBefore(day: Day, months: number): Day {
  const date = new Date(day * DAY_MS)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months + 1, 0)
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()))
  return date.getTime() / DAY_MS
}

/** Parses a period; one of more than two years is shortened to begin two years before its end. */
export function parsePeriod(startAt: string, endAt: string): Period {
  const last = parseDay(endAt)
  return { first: Math.max(parseDay(startAt), monthsBefore(last, MAX_MONTHS)), last }
}

/** All days of a period, in order. */
export const listDays = ({ first, last }: Period): Day[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)

/** The preceding period of the same length: both ends are moved back by that length. */
export const previousPeriod = ({ first, last }: Period): Period => ({ first: first - (last - first), last: first })
