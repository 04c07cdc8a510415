/** The use of something on a day (UTC), as SQL returns it. */
export interface DayOfUse {
  /** The midnight that begins it, in seconds. */
  readonly day: number
  readonly uses: number
  /** Distinct accounts. */
  readonly accounts: number
}

/** The entity Trends::History, also named TagHistory. */
export interface HistoryEntry {
  readonly day: string
  readonly accounts: string
  readonly uses: string
}

/** The number of days in a history. */
export const HISTORY_DAYS = 7
export const DAY_MS = 86_400_000

/** The last midnight (UTC) before a time; both in milliseconds since the epoch. */
export const midnightBefore = (nowMs: number): number => nowMs - (nowMs % DAY_MS)

/** The first day (YYYY-MM-DD) of a history that ends today. */
export const firstDay = (nowMs: number): string =>
  new Date(midnightBefore(nowMs) - (HISTORY_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)

/** The history of the last seven days, today first, from the days with any use. */
export function makeHistory(used: readonly DayOfUse[], nowMs: number): HistoryEntry[] {
  const today = midnightBefore(nowMs) / 1000
  return Array.from({ length: HISTORY_DAYS }, (_, ago) => {
    const day = today - (ago * DAY_MS) / 1000
    const found = used.find(one => one.day === day)
    return { day: String(day), accounts: String(found?.accounts ?? 0), uses: String(found?.uses ?? 0) }
  })
}
