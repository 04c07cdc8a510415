import type pg from 'pg'
import type { Columns, Row } from './column.ts'
import { encodeParameters, type Encoded } from './parameters.ts'
import { parserOf } from './parsers.ts'
import type { Query } from './query.ts'
import { compileRowReader, type RowReader } from './row_reader.ts'

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

interface DataRow {
  readonly fields: readonly (string | null)[]
}

/** How the rows of a statement are read, from PostgreSQL's description of them. */
interface Layout {
  readonly fields: RowDescription['fields']
  readonly read: RowReader
}

const NO_COLUMNS: Layout = { fields: [], read: () => ({}) }

const layouts = new WeakMap<object, Layout>()

const layoutOf = (fields: Layout['fields']): Layout => ({
  fields,
  read: compileRowReader(
    fields.map(field => field.name),
    fields.map(field => parserOf(field.dataTypeID)),
  ),
})

const areSame = (known: Layout['fields'], described: Layout['fields']): boolean =>
  known.length === described.length &&
  known.every(({ name, dataTypeID }, at) => {
    const field = described[at]
    return field?.name === name && field.dataTypeID === dataTypeID
  })

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
const BIND = 'B'.charCodeAt(0)
/** Execute: the unnamed portal, all rows. */
const EXECUTE = Buffer.from(['E'.charCodeAt(0), 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from(['S'.charCodeAt(0), 0, 0, 0, 4])
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, SYNC])

const sizeOf = (value: Encoded): number =>
  value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length

/**
 * The message Bind and those of `end`, in one buffer (PostgreSQL, "Message Formats").
 */
function encodeExecution(name: string, values: readonly Encoded[], end: Buffer): Buffer {
  const sizes = values.map(sizeOf)
  const valuesSize = sizes.reduce((sum, size) => sum + INT16 + INT32 + size, 0)
  const bindSize = INT32 + 1 + (Buffer.byteLength(name) + 1) + INT16 + INT16 + valuesSize + INT16
  const buffer = Buffer.allocUnsafe(1 + bindSize + end.length)
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
  end.copy(buffer, at)
  return buffer
}

/** What is sent and received for one statement. */
export interface Exchange {
  readonly name: string
  /** @param isLast whether the connection is ready for other statements afterwards */
  write(connection: pg.Connection, isLast: boolean): void
  describe(description: RowDescription): void
  /** Throws when a value cannot be read. */
  add(row: DataRow): void
  complete(connection: pg.Connection): void
}

/** One execution of a prepared statement, whose rows are read by the columns' types. */
export class Execution<P extends Columns, R extends Columns> implements Exchange {
  /**
   * Columns are compared with PostgreSQL's description in test/platform/database/queries.test.ts.
   */
  readonly rows: Row<R>[] = []
  readonly name: string
  readonly #query: Query<P, R>
  readonly #values: readonly Encoded[]
  #layout: Layout | undefined

  constructor(query: Query<P, R>, parameters: Row<P>) {
    this.name = query.name
    this.#query = query
    this.#values = encodeParameters(query, parameters)
  }

  write(connection: pg.Connection, isLast: boolean): void {
    const { name, text } = this.#query
    this.#layout = layouts.get(this.#query)
    if (!this.#layout || !preparedBy(connection).has(name)) {
      // An execution that failed may have prepared it.
      connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
      connection.describe({ type: 'S', name }, true)
    }
    connection.stream.write(encodeExecution(name, this.#values, isLast ? EXECUTE_AND_SYNC : EXECUTE))
  }

  describe({ fields }: RowDescription): void {
    // Each connection describes the statement: V8 has optimized the reader of those before it.
    if (!this.#layout || !areSame(this.#layout.fields, fields)) this.#layout = layoutOf(fields)
  }

  add({ fields }: DataRow): void {
    if (this.#layout) this.rows.push(this.#layout.read(fields) as Row<R>)
  }

  complete(connection: pg.Connection): void {
    // A statement without columns has no description.
    layouts.set(this.#query, this.#layout ?? NO_COLUMNS)
    preparedBy(connection).add(this.#query.name)
  }
}

/**
 * Statements that are sent together and answered together: all of them, or none after an error. The
 * driver's own query has PostgreSQL describe the rows each time, and builds parsers for them; here
 * that happens once for each connection.
 */
class Submission implements pg.Submittable {
  /** Read by the driver. */
  readonly query_timeout: number | undefined
  /** Called by the driver too, which may replace it. */
  callback: (error?: Error | null) => void
  readonly #exchanges: readonly Exchange[]
  #at = 0
  #failure: Error | undefined

  constructor(exchanges: readonly Exchange[], answerMs: number | undefined, callback: (error?: Error | null) => void) {
    this.#exchanges = exchanges
    this.query_timeout = answerMs
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    stream.cork()
    for (const [at, exchange] of this.#exchanges.entries())
      exchange.write(connection, at === this.#exchanges.length - 1)
    stream.uncork()
  }

  handleRowDescription(description: RowDescription): void {
    this.#exchanges[this.#at]?.describe(description)
  }

  handleDataRow(row: DataRow): void {
    if (this.#failure) return
    try {
      this.#exchanges[this.#at]?.add(row)
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('a row could not be read', { cause: error })
    }
  }

  handleCommandComplete(_message: unknown, connection: pg.Connection): void {
    this.#exchanges[this.#at]?.complete(connection)
    this.#at += 1
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure)
  }
}

/**
 * Runs statements on a client in one round trip, in their order; each execution then has its rows.
 * Rejects with the driver's errors, and then none of the statements has had an effect.
 * @param answerMs after which statements without an answer fail
 */
export function runPrepared(
  client: pg.ClientBase,
  exchanges: readonly Exchange[],
  answerMs: number | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new Submission(exchanges, answerMs, error => {
        if (error) reject(error)
        else resolve()
      }),
    )
  })
}
