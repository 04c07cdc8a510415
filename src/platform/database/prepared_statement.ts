import type pg from 'pg'
import type { Columns, Row } from './column.ts'
import { encodeParameters, type Encoded } from './parameters.ts'
import { parserOf } from './parsers.ts'
import type { Query } from './query.ts'

type Callback<T> = (error: Error | null | undefined, rows?: T[]) => void

/** How the rows of a statement are read, from PostgreSQL's description of them. */
interface Layout {
  readonly names: readonly string[]
  readonly parsers: readonly ((value: string) => unknown)[]
  /** Copied for each row, so that all rows of a statement have one shape. */
  readonly emptyRow: Readonly<Record<string, unknown>>
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

interface DataRow {
  readonly fields: readonly (string | null)[]
}

const layouts = new WeakMap<object, Layout>()

/** The names of the statements that each connection has prepared. */
const prepared = new WeakMap<pg.Connection, Set<string>>()

function preparedBy(connection: pg.Connection): Set<string> {
  let names = prepared.get(connection)
  if (!names) prepared.set(connection, (names = new Set()))
  return names
}

const INT16 = 2
const INT32 = 4
const BINARY = 1
const [BIND, EXECUTE, SYNC] = ['B', 'E', 'S'].map(letter => letter.charCodeAt(0)) as [number, number, number]
/** Execute: the unnamed portal, all rows. Sync. */
const EXECUTE_AND_SYNC = Buffer.from([EXECUTE, 0, 0, 0, 9, 0, 0, 0, 0, 0, SYNC, 0, 0, 0, 4])

const sizeOf = (value: Encoded): number =>
  value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length

/**
 * The messages Bind, Execute and Sync in one buffer, so that they are written and read at once
 * (PostgreSQL, "Message Formats").
 */
function encodeExecution(name: string, values: readonly Encoded[]): Buffer {
  const nameSize = Buffer.byteLength(name)
  const sizes = values.map(sizeOf)
  const valuesSize = sizes.reduce((sum, size) => sum + INT16 + INT32 + size, 0)
  const bindSize = INT32 + 1 + (nameSize + 1) + INT16 + INT16 + valuesSize + INT16
  const buffer = Buffer.allocUnsafe(1 + bindSize + EXECUTE_AND_SYNC.length)
  let at = buffer.writeUInt8(BIND)
  at = buffer.writeInt32BE(bindSize, at)
  at = buffer.writeUInt8(0, at) // the unnamed portal
  at += buffer.write(name, at)
  at = buffer.writeUInt8(0, at)
  at = buffer.writeInt16BE(values.length, at)
  for (const value of values) at = buffer.writeInt16BE(Buffer.isBuffer(value) ? BINARY : 0, at)
  at = buffer.writeInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = buffer.writeInt32BE(value === null ? -1 : (sizes[index] ?? 0), at)
    if (value !== null) at += typeof value === 'string' ? buffer.write(value, at) : value.copy(buffer, at)
  }
  at = buffer.writeInt16BE(0, at) // all columns as text
  EXECUTE_AND_SYNC.copy(buffer, at)
  return buffer
}

/**
 * One execution of a prepared statement. The driver's own query asks PostgreSQL each time to
 * describe the rows, and builds a parser for them; here that happens once for each connection.
 */
class Execution<P extends Columns, R extends Columns> implements pg.Submittable {
  /** Read by the driver. */
  readonly query_timeout: number | undefined
  /** Called by the driver too, which may replace it. */
  callback: Callback<Row<R>>
  readonly #query: Query<P, R>
  readonly #values: readonly Encoded[]
  readonly #rows: Record<string, unknown>[] = []
  #layout: Layout | undefined
  #connection: pg.Connection | undefined
  #failure: Error | undefined

  constructor(query: Query<P, R>, parameters: Row<P>, answerMs: number | undefined, callback: Callback<Row<R>>) {
    this.#query = query
    this.#values = encodeParameters(query, parameters)
    this.query_timeout = answerMs
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection
    const { name, text } = this.#query
    const execution = encodeExecution(name, this.#values)
    this.#layout = layouts.get(this.#query)
    if (this.#layout && preparedBy(connection).has(name)) {
      connection.stream.write(execution)
      return
    }
    connection.stream.cork()
    // An execution that failed may have prepared it.
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
    connection.describe({ type: 'S', name }, true)
    connection.stream.write(execution)
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: RowDescription): void {
    const names = fields.map(field => field.name)
    this.#layout = {
      names,
      parsers: fields.map(field => parserOf(field.dataTypeID)),
      emptyRow: Object.fromEntries(names.map(name => [name, null])),
    }
  }

  handleDataRow({ fields }: DataRow): void {
    const layout = this.#layout
    if (!layout || this.#failure) return
    const row = { ...layout.emptyRow }
    try {
      for (const [index, value] of fields.entries()) {
        const name = layout.names[index]
        const parse = layout.parsers[index]
        if (value !== null && name !== undefined && parse) row[name] = parse(value)
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('a row could not be read', { cause: error })
      return
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {
    // A statement without columns has no description.
    layouts.set(this.#query, this.#layout ?? { names: [], parsers: [], emptyRow: {} })
    if (this.#connection) preparedBy(this.#connection).add(this.#query.name)
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure)
    // The columns were compared with PostgreSQL's description by test/platform/database/queries.test.ts.
    else this.callback(null, this.#rows as Row<R>[])
  }
}

/**
 * Runs a statement on a client and resolves to its rows. Rejects with the driver's errors.
 * @param answerMs after which a statement without an answer fails
 */
export function runPrepared<P extends Columns, R extends Columns>(
  client: pg.ClientBase,
  query: Query<P, R>,
  parameters: Row<P>,
  answerMs: number | undefined,
): Promise<Row<R>[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Execution(query, parameters, answerMs, (error, rows) => {
        if (error) reject(error)
        else resolve(rows ?? [])
      }),
    )
  })
}
