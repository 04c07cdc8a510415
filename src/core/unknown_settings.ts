import { CONFIG_TABLE } from './config_table.ts'
import type { Environment } from './environment.ts'

/** An environment variable that looks like a misspelt setting. */
export interface UnknownSetting {
  readonly variable: string
  /** The setting whose name is nearest. */
  readonly nearest: string
}

/** Prefixes of settings: a name that begins with one of them is meant for this server. */
const GROUPS =
  /^(?:MILLRACE|TRUSTED|SMTP|MAIL|S3|DATABASE|TRANSLATION|HCAPTCHA|DONATION|EMAIL_DOMAIN|STREAMS|STREAMING|RATE_LIMIT)_/
/** Variables that Kubernetes and Docker set for linked services, such as `SMTP_PORT_25_TCP`. */
const OF_NEIGHBOURS = /_(?:SERVICE_(?:HOST|PORT)|PORT(?:_\d+_(?:TCP|UDP).*)?|ENV_\w+|NAME)$/
const OWN_OTHERS = /^MILLRACE_(?:TEST|BENCH)_/

/** The number of letters to add, remove, replace or swap with the next one. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(from.length, to.length)
}

/** Whether a setting has all words of a name: S3_SECRET_ACCESS_KEY has those of S3_SECRET_KEY. */
const hasWords = (setting: string, name: string): boolean =>
  name.split('_').every(word => setting.split('_').includes(word))

/** How many letters may differ: short names are near to many words. */
const tolerance = (name: string): number => (name.length < 5 ? 0 : name.length < 8 ? 1 : 2)

/** Variables whose names look like settings of this server, each with the nearest setting. */
export function findUnknownSettings(env: Environment): UnknownSetting[] {
  const known = CONFIG_TABLE.map(({ variable }) => variable)
  const names = Object.keys(env).filter(name => /^[A-Z][A-Z0-9_]+$/.test(name) && !known.includes(name))
  return names.toSorted().flatMap(variable => {
    const isOurs = GROUPS.test(variable) && !OF_NEIGHBOURS.test(variable) && !OWN_OTHERS.test(variable)
    const byDistance = known
      .filter(name => isOurs || Math.abs(name.length - variable.length) <= tolerance(name))
      .map(name => ({ name, far: isOurs && hasWords(name, variable) ? 1 : distance(variable, name) }))
      .toSorted((a, b) => a.far - b.far)
    const [best] = byDistance
    return best && (isOurs || best.far <= tolerance(best.name)) ? [{ variable, nearest: best.name }] : []
  })
}
