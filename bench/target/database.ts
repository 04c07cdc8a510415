import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/database/embedded.ts'
import { usageOfTree } from './usage.ts'

/** What the database has done so far. */
export interface DatabaseUse {
  /** Seconds of executing statements, over all connections (pg_stat_statements). */
  readonly seconds: number
  readonly calls: number
  /** CPU seconds of PostgreSQL's processes; undefined where that cannot be seen. */
  readonly cpuSeconds: number | undefined
}

export interface DatabaseWatch {
  use(): Promise<DatabaseUse>
  /** When the notifications of posts that carry a mark were written, just before their commits: milliseconds since 1970 by the post's number. */
  writtenSince(sinceMs: number): Promise<Map<number, number>>
  close(): Promise<void>
}

const READ =
  'select coalesce(sum(s.total_exec_time), 0) / 1000 as seconds, coalesce(sum(s.calls), 0)::float8 as calls from pg_stat_statements s'

const WRITTEN = `
  select s.text, extract(epoch from e.created_at)::float8 * 1000 as written_ms
  from events e
  join statuses s on s.id = e.status_id
  where e.kind = 'notification.created' and e.created_at >= to_timestamp($1::float8 / 1000)`
/** See `bench/load/sockets.ts`. */
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

/** Watches the embedded database of a data folder, from outside of the server. */
export async function watchDatabase(dataDir: string): Promise<DatabaseWatch> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  const client = new pg.Client(embedded.connection)
  // The server may stop it together with itself.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  const pidFile = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(pidFile.split('\n')[0])
  return {
    async use() {
      const { rows } = await client.query<{ seconds: number; calls: number }>(READ)
      const usage = Number.isInteger(pid) && pid > 0 ? await usageOfTree(pid) : undefined
      const [read] = rows
      return { seconds: read?.seconds ?? 0, calls: read?.calls ?? 0, cpuSeconds: usage?.cpuSeconds }
    },
    writtenSince: sinceMs => readWritten(client, sinceMs),
    async close() {
      await client.end().catch(() => undefined)
      await embedded.close()
    },
  }
}
