import { readFileSync } from 'node:fs'
import type { Steps } from '../../core/time_slices.ts'
import type { Columns } from './column.ts'

/** The folder with the hand-written SQL. */
export const SQL_FOLDER = new URL('../../../sql/', import.meta.url)

/** A statement of sql/queries, with the types of its parameters and columns. */
export interface Query<P extends Columns, R extends Columns> {
  /** Its path below sql/queries without `.sql`; also the name of the prepared statement. */
  readonly name: string
  readonly parameters: P
  readonly columns: R
  /** The text of the file, read at the first use or soon after the start. */
  readonly text: string
  /** The names of the parameters in the order $1, $2 …, from the file's header. */
  readonly order: readonly (keyof P & string)[]
  readonly pipelined: boolean
  readonly returnsAllEvents: boolean
}

export interface QueryOptions {
  /**
   * A read of less than a millisecond or so, which shares a round trip with others that are
   * requested at the same time.
   */
  readonly pipelined?: boolean
  /**
   * The rows' `events` are all events that the statement logs. Run by itself, its transaction then
   * has no others, and this process need not read them from the log. A test compares both
   * (test/statuses/returned_events.test.ts).
   */
  readonly returnsAllEvents?: boolean
}

const HEADER_PARAMETER = /^-- \$(\d+) ([a-z_0-9]+)/

/**
 * The names of the parameters that a statement's header lists (`-- $1 viewer bigint`), in order.
 */
function headerParameters(name: string, text: string): string[] {
  const names: string[] = []
  for (const line of text.split('\n')) {
    const found = HEADER_PARAMETER.exec(line)
    if (!found) continue
    const [, position, parameter] = found
    if (Number(position) !== names.length + 1 || parameter === undefined) {
      throw new Error(`sql/queries/${name}.sql: the header's parameters are not numbered in order`)
    }
    names.push(parameter)
  }
  return names
}

const declared = new Map<string, Query<Columns, Columns>>()

/**
 * Every statement that the loaded modules declare, for the tests of plans and types, and for `ctl
 * explain`.
 */
export const declaredQueries = (): ReadonlyMap<string, Query<Columns, Columns>> => declared

/**
 * Reads the text of every declared statement, some at a time: what a later release puts in place of
 * the files does not concern a process that runs.
 * @returns the number of statements
 */
export function* readStatements(): Steps<number> {
  for (const query of declared.values()) {
    void query.text
    yield
  }
  return declared.size
}

/**
 * Declares the statement in `sql/queries/NAME.sql`. The header of the file names the parameters; a
 * test checks parameters and columns against the migrated schema.
 */
export function query<const P extends Columns, const R extends Columns>(
  name: string,
  parameters: P,
  columns: R,
  { pipelined = false, returnsAllEvents = false }: QueryOptions = {},
): Query<P, R> {
  let text: string | undefined
  let order: (keyof P & string)[] | undefined
  const read = (): string => (text ??= readFileSync(new URL(`queries/${name}.sql`, SQL_FOLDER), 'utf8'))
  const isParameter = (found: string): found is keyof P & string => Object.hasOwn(parameters, found)
  if (declared.has(name)) throw new Error(`sql/queries/${name}.sql is declared twice`)
  const query: Query<P, R> = {
    name,
    parameters,
    columns,
    pipelined,
    returnsAllEvents,
    get text() {
      return read()
    },
    get order() {
      if (order) return order
      const found = headerParameters(name, read())
      const known = found.filter(isParameter)
      if (known.length !== found.length || known.length !== Object.keys(parameters).length) {
        throw new Error(
          `sql/queries/${name}.sql names the parameters (${found.join(', ')}), its declaration (${Object.keys(parameters).join(', ')})`,
        )
      }
      return (order = known)
    },
  }
  declared.set(name, query as unknown as Query<Columns, Columns>)
  return query
}
