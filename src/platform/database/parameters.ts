import type { Columns, Row } from './column.ts'
import type { Query } from './query.ts'

/** A parameter in PostgreSQL's text format; bytes are sent as they are. */
export type Encoded = string | Buffer | null

type Encode = (value: unknown) => Encoded

const text: Encode = value => (typeof value === 'string' ? value : String(value))

const QUOTED = /[\\"]/g

/** @param element of numbers as they are, of texts in quotes */
const array =
  (element: (value: unknown) => string): Encode =>
  value =>
    Array.isArray(value) ? `{${value.map(item => (item === null ? 'NULL' : element(item))).join(',')}}` : text(value)

const numbers = array(String)
const texts = array(value => `"${String(value).replaceAll(QUOTED, String.raw`\$&`)}"`)

const ENCODERS = new Map<string, Encode>([
  ['bigint[]', numbers],
  ['integer[]', numbers],
  ['double precision[]', numbers],
  ['text[]', texts],
  ['inet[]', texts],
  ['timestamp with time zone', value => (value instanceof Date ? value.toISOString() : text(value))],
  ['bytea', value => (Buffer.isBuffer(value) ? value : text(value))],
  ['jsonb', value => JSON.stringify(value) ?? null],
])

/** The parameters of a statement in their order. Absent ones are null. */
export function encodeParameters<P extends Columns, R extends Columns>(
  query: Query<P, R>,
  parameters: Row<P>,
): Encoded[] {
  return query.order.map(name => {
    const value: unknown = parameters[name]
    if (value === null || value === undefined) return null
    const encode = ENCODERS.get(query.parameters[name]?.sql ?? '') ?? text
    return encode(value)
  })
}
