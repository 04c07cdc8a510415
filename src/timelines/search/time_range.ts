import { ApiError } from '../../core/errors.ts'

/** A range of time: from its first millisecond up to, but not including, its end. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

const ISO =
  /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3})[0-9]*)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?)?)?$/i
const EPOCH_MS = /^[0-9]{5,15}$/
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** The offset from UTC at a moment. An unknown time zone counts as UTC. */
function offsetMs(moment: number, timeZone: string): number {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return 0
  }
  const shown = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARTS.map(part => shown.get(part))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000
}

/**
 * The moment at which clocks in the zone show this time. Computed in two steps, because the offset
 * is that of the moment and not of the same hour in UTC.
 */
function momentOf(shownMs: number, timeZone: string): number {
  const guess = shownMs - offsetMs(shownMs, timeZone)
  return shownMs - offsetMs(guess, timeZone)
}

function zoneMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])([0-9]{2}):?([0-9]{2})$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/**
 * Parses a date in a search: a year, month or day in the user's time zone, or a moment in ISO 8601
 * or in milliseconds since 1970.
 * @throws ApiError invalidDate
 */
export function parseTimeRange(text: string, timeZone: string): TimeRange {
  if (EPOCH_MS.test(text)) return { fromMs: Number(text), toMs: Number(text) + 1 }
  const [matched, year = '', month, day, hour, minute = '00', second = '00', fraction = '0', zone] =
    ISO.exec(text) ?? []
  if (matched === undefined) throw new ApiError('invalidDate')
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`
  const shownMs = Date.parse(`${date}T${hour ?? '00'}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`)
  // Date turns February 30 into March 1, so only dates that survive the round trip are valid.
  if (Number.isNaN(shownMs) || !new Date(shownMs).toISOString().startsWith(date)) throw new ApiError('invalidDate')
  if (hour !== undefined) {
    const fromMs = zone === undefined ? momentOf(shownMs, timeZone) : shownMs - zoneMs(zone)
    return { fromMs, toMs: fromMs + 1 }
  }
  const next = new Date(shownMs)
  if (month === undefined) next.setUTCFullYear(next.getUTCFullYear() + 1)
  else if (day === undefined) next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCDate(next.getUTCDate() + 1)
  return { fromMs: momentOf(shownMs, timeZone), toMs: momentOf(next.getTime(), timeZone) }
}
