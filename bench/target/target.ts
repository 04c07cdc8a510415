import type { DatabaseUse } from './database.ts'
import type { Usage } from './usage.ts'

/** The measured server. */
export interface Target {
  readonly url: string
  readonly description: string
  /** Bearer tokens of users; the first one posts unless a scenario needs another author. */
  readonly people: readonly string[]
  /** Authors with exactly this number of followers, first among them those of `people`. */
  readonly authors: readonly { readonly followers: number; readonly token: string }[]
  /** Users who follow a thousand accounts. */
  readonly readers: readonly string[]
  /** The first status of a thread with 500 replies. */
  readonly thread: string | undefined
  /** Undefined for a remote server. */
  readonly local: LocalServer | undefined
  close(): Promise<void>
}

/** Operations and figures that only a local server offers. */
export interface LocalServer {
  readonly dataDir: string
  /** Of its processes, without the database. */
  usage(): Promise<Usage | undefined>
  databaseUse(): Promise<DatabaseUse>
  /** CPU seconds of its processes and of PostgreSQL's so far; undefined if not available. */
  cpuSeconds(): Promise<{ readonly server: number; readonly database: number } | undefined>
  /** See `DatabaseWatch`. */
  databaseMemory(): Promise<number | undefined>
  /** See `DatabaseWatch`. */
  writtenSince(sinceMs: number): Promise<Map<number, number>>
  /** Runs a statement on its database. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Restarts it with its database. @returns milliseconds from the start to the first response */
  restart(workers: number): Promise<number>
}
