/** Times of the clock in a time zone, as `2030-01-31T12:00`, which is what forms send. */

const MINUTE_CHARACTERS = 16
const DAY_MS = 86_400_000

/** Each takes 30 kB, and besides the named zones there are 2,880 offsets such as `+05:45`. */
const KEPT_CLOCKS = 100
/** By zone, since creating one takes 0.1 ms. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase()
  let clock = clocks.get(key)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    if (clocks.size >= KEPT_CLOCKS) clocks.clear()
    clocks.set(key, clock)
  }
  return clock
}

/** The names of all time zones, such as Europe/Berlin, in alphabetical order, including UTC. */
export const timeZones = (): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()

export function isTimeZone(name: string): boolean {
  try {
    return clockOf(name) !== undefined
  } catch {
    return false
  }
}

/** The local time in the zone, as if it were UTC. */
function shownMs(atMs: number, zone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of clockOf(zone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The local time in the zone, to the minute. */
export const clockTime = (at: Date, zone: string): string =>
  new Date(shownMs(Math.floor(at.getTime() / 1000) * 1000, zone)).toISOString().slice(0, MINUTE_CHARACTERS)

const CLOCK_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/

/**
 * The moment of a local time; undefined when the text is none. When clocks go back, a local time
 * occurs twice: the earlier moment is returned. When they go forward, a skipped local time is taken
 * to be as long after the change as it would have been before.
 */
export function timeAt(clock: string, zone: string): Date | undefined {
  const wantedMs = CLOCK_TIME.test(clock) ? Date.parse(`${clock}Z`) : Number.NaN
  if (Number.isNaN(wantedMs)) return undefined
  // The offsets on both sides of a change of the clock that may be near.
  const offsets = [wantedMs - DAY_MS, wantedMs + DAY_MS].map(nearMs => shownMs(nearMs, zone) - nearMs)
  const [before = 0] = offsets
  const found = offsets.map(offset => wantedMs - offset).filter(atMs => shownMs(atMs, zone) === wantedMs)
  return new Date(found.length > 0 ? Math.min(...found) : wantedMs - before)
}
