import { readdirSync, readFileSync } from 'node:fs'

/** A parameter of the contract. */
export interface ContractParameter {
  /** `poll[options]` for a member of an object. */
  readonly name: string
  readonly in: string
  readonly type: string
  readonly required?: true
  readonly enum?: readonly string[]
  readonly min?: number
  readonly max?: number
}

export interface ErrorLine {
  readonly status: number
  /** The text, where the contract prints it. */
  readonly error?: string
  readonly when: string
}

/** What the contract says about an operation, beside `ContractOperation`. */
export interface ContractLines {
  /** `GET /api/v1/lists/:id`. */
  readonly key: string
  /**
   * Begins the ids of its lines: the key; where an earlier group has the same operation, with the
   * group behind it: `GET /oauth/userinfo (well_known)`.
   */
  readonly name: string
  readonly group: string
  /** Exists in older servers; may be missing. */
  readonly removed?: true
  readonly params: readonly ContractParameter[]
  readonly behaviour: readonly string[]
  readonly errors: readonly ErrorLine[]
}

const FOLDER = new URL('../contract/lines/', import.meta.url)

const seen = new Set<string>()

/** The lines of every operation, by group. */
export const contractLines: readonly ContractLines[] = readdirSync(FOLDER)
  .sort()
  .flatMap(file => {
    const group = file.replace('.json', '')
    const operations = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<
      string,
      Omit<ContractLines, 'key' | 'name' | 'group'>
    >
    return Object.entries(operations).map(([key, lines]) => {
      const name = seen.has(key) ? `${key} (${group})` : key
      seen.add(key)
      return { key, name, group, ...lines }
    })
  })

/** The id of a line: `GET /api/v1/lists behaviour 1`. Lines are counted from 1. */
export const lineId = ({ name }: { readonly name: string }, kind: 'behaviour' | 'error', index: number): string =>
  `${name} ${kind} ${index + 1}`

/** All lines with their names. */
export const allLines: ReadonlyMap<string, { group: string; text: string }> = new Map(
  contractLines
    .filter(({ removed }) => !removed)
    .flatMap(({ name, group, behaviour, errors }) => [
      ...behaviour.map((text, index) => [lineId({ name }, 'behaviour', index), { group, text }] as const),
      ...errors.map(
        ({ status, error = '', when }, index) =>
          [lineId({ name }, 'error', index), { group, text: `${status} ${error}: ${when}` }] as const,
      ),
    ]),
)
