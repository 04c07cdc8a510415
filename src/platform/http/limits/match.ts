import type { Throttle } from './throttles.ts'

const NONE: readonly Throttle[] = []

/**
 * Finds the throttles for a request. Exact paths are looked up; the few patterns are tried only
 * when their beginning fits.
 */
export function createMatcher(throttles: readonly Throttle[]): (method: string, path: string) => readonly Throttle[] {
  const exact = new Map<string, Throttle[]>()
  const patterns = new Map<string, { beginning: string; pattern: RegExp; counting: Throttle[] }>()
  for (const throttle of throttles) {
    if (typeof throttle.on === 'string') continue
    for (const listed of throttle.on) {
      if (/[:*]/.test(listed)) {
        const known = patterns.get(listed)
        const beginning = listed.replace(/[:*].*/, '')
        if (known) known.counting.push(throttle)
        else patterns.set(listed, { beginning, pattern: toPattern(listed), counting: [throttle] })
      } else exact.set(listed, [...(exact.get(listed) ?? []), throttle])
    }
  }
  return (method, path) => {
    const request = `${method} ${path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path}`
    for (const { beginning, pattern, counting } of patterns.values())
      if (request.startsWith(beginning) && pattern.test(request)) return counting
    return exact.get(request) ?? NONE
  }
}

const toPattern = (listed: string): RegExp =>
  new RegExp(
    `^${listed
      .replaceAll(/[.+]/g, '\\$&')
      .replaceAll(/:[a-z]+/g, '[^/]+')
      .replace(/\*$/, '.+')}$`,
  )
