/** "For so many seconds", or "not before" (RFC 9110, section 10.2.3). */
const SECONDS = /^\d{1,9}$/

/** How long the header `Retry-After` asks to wait, in milliseconds; undefined when it is absent or says nothing that can be read. */
export function parseRetryAfter(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (SECONDS.test(text)) return Number(text) * 1000
  const untilMs = Date.parse(text)
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs)
}
