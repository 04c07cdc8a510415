import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import type { Database } from '../../platform/database/index.ts'

type Client = Parameters<Parameters<Database['withClient']>[0]>[0]
export type Value = string | number | boolean | null

/** Each COPY is its own transaction: a long one delays the event log of running servers. */
const ROWS_PER_TRANSACTION = 20_000
const CHUNK_CHARACTERS = 65_536

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const SPECIAL = /[\\\t\n\r]/
const EVERY_SPECIAL = /[\\\t\n\r]/g

/**
 * A value in COPY's text format
 * (https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2).
 */
function formatValue(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  return SPECIAL.test(value) ? value.replace(EVERY_SPECIAL, special => ESCAPES[special] ?? special) : value
}

/** A line of COPY's text format. */
export function line(values: readonly Value[]): string {
  let text = ''
  let separator = ''
  for (const value of values) {
    text += separator + formatValue(value)
    separator = '\t'
  }
  return `${text}\n`
}

/** A PostgreSQL timestamp with time zone, from milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()

export interface Target {
  table: string
  columns: readonly string[]
}

async function copyBatch(client: Client, target: Target, lines: Iterator<string>): Promise<number> {
  const stream = client.query(from(`copy ${target.table} (${target.columns.join(', ')}) from stdin`))
  const ended = finished(stream)
  ended.catch(() => undefined)
  let rows = 0
  let chunk = ''
  while (rows < ROWS_PER_TRANSACTION) {
    const next = lines.next()
    if (next.done) break
    chunk += next.value
    rows += 1
    if (chunk.length < CHUNK_CHARACTERS) continue
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), ended])
    chunk = ''
  }
  stream.end(chunk)
  await ended
  return rows
}

/**
 * Writes lazily generated lines with COPY.
 * @param onRows called with the number of rows of each transaction
 */
export async function copyLines(
  client: Client,
  target: Target,
  lines: Iterable<string>,
  onRows: (rows: number) => void,
): Promise<void> {
  const iterator = lines[Symbol.iterator]()
  for (let rows = ROWS_PER_TRANSACTION; rows === ROWS_PER_TRANSACTION;) {
    rows = await copyBatch(client, target, iterator)
    onRows(rows)
  }
}
