/** The environment variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads typed variables. An invalid value is recorded and read as its default, so that all of them
 * can be reported together.
 */
export interface EnvironmentReader {
  /** One line for each invalid variable. */
  readonly errors: readonly string[]
  addError(message: string): void
  /** Trimmed; undefined when it is absent or blank. */
  text(name: string): string | undefined
  integer(name: string, fallback: number, min: number, max: number): number
  decimal(name: string, fallback: number, min: number, max: number): number
  flag(name: string, fallback: boolean): boolean
  /** Without a trailing slash. */
  url<F extends string | undefined>(name: string, fallback: F, protocols: readonly string[]): string | F
  oneOf<T extends string, F extends T | undefined>(name: string, known: readonly T[], fallback: F): T | F
}

const ON = new Set(['on', 'true', '1', 'yes'])
const OFF = new Set(['off', 'false', '0', 'no'])

/** Reads a variable only when it is requested. */
export function createEnvironmentReader(env: Environment): EnvironmentReader {
  const errors: string[] = []
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? undefined : value
  }
  return {
    errors,
    addError: message => void errors.push(message),
    text,
    integer(name, fallback, min, max) {
      const value = text(name)
      if (value === undefined) return fallback
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      errors.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
      return fallback
    },
    decimal(name, fallback, min, max) {
      const value = text(name)
      if (value === undefined) return fallback
      const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      errors.push(`${name} must be a number from ${min} to ${max}, not "${value}"`)
      return fallback
    },
    flag(name, fallback) {
      const value = text(name)?.toLowerCase()
      if (value === undefined) return fallback
      if (ON.has(value)) return true
      if (!OFF.has(value)) errors.push(`${name} must be on or off, not "${value}"`)
      return false
    },
    url(name, fallback, protocols) {
      const value = text(name)
      if (value === undefined) return fallback
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
      const shown = value.replace(/\/\/.*@/, '//…@')
      errors.push(`${name} must be a URL starting with ${protocols.map(p => `${p}//`).join(' or ')}, not "${shown}"`)
      return fallback
    },
    oneOf(name, known, fallback) {
      const value = text(name)
      const found = known.find(candidate => candidate === value)
      if (value !== undefined && !found) errors.push(`${name} must be one of ${known.join(', ')}, not "${value}"`)
      return found ?? fallback
    },
  }
}
