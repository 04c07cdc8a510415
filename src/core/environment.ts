/** Variables by name, as a process is given them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads variables by what they mean. What is wrong is put down and read as its default, so that all faults can be told at once. */
export interface EnvironmentReader {
  /** One line for each variable that is wrong. */
  readonly faults: readonly string[]
  fault(message: string): void
  /** Trimmed; undefined when it is absent or blank. */
  text(name: string): string | undefined
  integer(name: string, fallback: number, least: number, most: number): number
  flag(name: string, fallback: boolean): boolean
  /** Without a slash at the end. */
  url<F extends string | undefined>(name: string, fallback: F, protocols: readonly string[]): string | F
  oneOf<T extends string, F extends T | undefined>(name: string, known: readonly T[], fallback: F): T | F
}

const ON = new Set(['on', 'true', '1', 'yes'])
const OFF = new Set(['off', 'false', '0', 'no'])

/** Reads nothing before it is asked. */
export function createEnvironmentReader(env: Environment): EnvironmentReader {
  const faults: string[] = []
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? undefined : value
  }
  return {
    faults,
    fault: message => void faults.push(message),
    text,
    integer(name, fallback, least, most) {
      const value = text(name)
      if (value === undefined) return fallback
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= least && number <= most) return number
      faults.push(`${name} must be a whole number from ${least} to ${most}, not "${value}"`)
      return fallback
    },
    flag(name, fallback) {
      const value = text(name)?.toLowerCase()
      if (value === undefined) return fallback
      if (ON.has(value)) return true
      if (!OFF.has(value)) faults.push(`${name} must be on or off, not "${value}"`)
      return false
    },
    url(name, fallback, protocols) {
      const value = text(name)
      if (value === undefined) return fallback
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
      faults.push(`${name} must be a URL starting with ${protocols.map(p => `${p}//`).join(' or ')}, not "${value}"`)
      return fallback
    },
    oneOf(name, known, fallback) {
      const value = text(name)
      const found = known.find(one => one === value)
      if (value !== undefined && !found) faults.push(`${name} must be one of ${known.join(', ')}, not "${value}"`)
      return found ?? fallback
    },
  }
}
