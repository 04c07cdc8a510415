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
  readonly group: string
  /** Exists in older servers; may be missing. */
  readonly removed?: true
  readonly params: readonly ContractParameter[]
  readonly behaviour: readonly string[]
  readonly errors: readonly ErrorLine[]
}

const FOLDER = new URL('../contract/lines/', import.meta.url)

/** The lines of every operation, by group. */
export const contractLines: readonly ContractLines[] = readdirSync(FOLDER)
  .sort()
  .flatMap(file => {
    const operations = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<
      string,
      Omit<ContractLines, 'key' | 'group'>
    >
    return Object.entries(operations).map(([key, lines]) => ({ key, group: file.replace('.json', ''), ...lines }))
  })

/** The name of a line: `GET /api/v1/lists behaviour 1`. Lines are counted from 1. */
export const lineId = (key: string, kind: 'behaviour' | 'error', index: number): string => `${key} ${kind} ${index + 1}`

/** All lines with their names. */
export const allLines: ReadonlyMap<string, { group: string; text: string }> = new Map(
  contractLines
    .filter(({ removed }) => !removed)
    .flatMap(({ key, group, behaviour, errors }) => [
      ...behaviour.map((text, index) => [lineId(key, 'behaviour', index), { group, text }] as const),
      ...errors.map(
        ({ status, error = '', when }, index) =>
          [lineId(key, 'error', index), { group, text: `${status} ${error}: ${when}` }] as const,
      ),
    ]),
)
