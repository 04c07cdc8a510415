import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/database/embedded/index.ts'
import type { Statement } from '../report/report.ts'
import { sharedMemoryOfTree, usageOfTree } from './usage.ts'

/** The database's resource use so far. */
export interface DatabaseUse {
  /** Seconds of executing statements, over all connections (pg_stat_statements). */
  readonly seconds: number
  readonly calls: number
  /** Each statement. */
  readonly statements: readonly Statement[]
  /** CPU seconds of PostgreSQL's processes; undefined if not available. */
  readonly cpuSeconds: number | undefined
}

export interface DatabaseWatch {
  use(): Promise<DatabaseUse>
  /** CPU seconds of PostgreSQL's processes so far; undefined if not available. */
  cpuSeconds(): Promise<number | undefined>
  /** The memory of PostgreSQL's processes in bytes; undefined if not available. */
  memory(): Promise<number | undefined>
  /**
   * When the notifications of marked posts were written, just before their commits: milliseconds
   * since 1970 by the post's number.
   */
  writtenSince(sinceMs: number): Promise<Map<number, number>>
  /** Runs a statement; its rows. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const READ = `
  select left(regexp_replace(s.query, '\\s+', ' ', 'g'), 200) as text, sum(s.calls)::float8 as calls, sum(s.total_exec_time) / 1000 as seconds
  from pg_stat_statements s
  where s.toplevel
  group by 1`

const WRITTEN = `
  select s.text, extract(epoch from e.created_at)::float8 * 1000 as written_ms
  from events e
  join statuses s on s.id = e.status_id
  where e.kind = 'notification.created' and e.created_at >= to_timestamp($1::float8 / 1000)`
/** See `bench/load/publisher.ts`. */
const MARK = /bench-\d+-(\d+)-/

async function readWritten(client: pg.Client, sinceMs: number): Promise<Map<number, number>> {
  const { rows } = await client.query<{ text: string; written_ms: number }>(WRITTEN, [sinceMs])
  return new Map(
    rows.flatMap(({ text, written_ms }) => {
      const number = MARK.exec(text)?.[1]
      return number === undefined ? [] : [[Number(number), written_ms] as const]
    }),
  )
}

/** Watches the embedded database of a data folder from outside of the server. */
export async function watchDatabase(dataDir: string): Promise<DatabaseWatch> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  const client = new pg.Client(embedded.connection)
  // The server may stop the database together with itself.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  const pidFile = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(pidFile.split('\n')[0])
  const isKnown = Number.isInteger(pid) && pid > 0
  const cpuSeconds = async (): Promise<number | undefined> =>
    isKnown ? (await usageOfTree(pid))?.cpuSeconds : undefined
  return {
    cpuSeconds,
    async use() {
      const { rows: statements } = await client.query<Statement>(READ)
      const sum = (name: 'seconds' | 'calls'): number => statements.reduce((total, one) => total + one[name], 0)
      return { seconds: sum('seconds'), calls: sum('calls'), statements, cpuSeconds: await cpuSeconds() }
    },
    memory: async () => (isKnown ? sharedMemoryOfTree(pid) : undefined),
    writtenSince: sinceMs => readWritten(client, sinceMs),
    run: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    async close() {
      await client.end().catch(() => undefined)
      await embedded.close()
    },
  }
}
