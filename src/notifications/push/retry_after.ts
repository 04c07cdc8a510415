/** A delay in seconds, or a date (RFC 9110, section 10.2.3). */
const SECONDS = /^\d{1,9}$/

/** The delay of the header `Retry-After` in milliseconds; undefined if it is absent or invalid. */
export function parseRetryAfter(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (SECONDS.test(text)) return Number(text) * 1000
  const untilMs = Date.parse(text)
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs)
}
