import type { DatabaseUse } from './database.ts'
import type { Usage } from './usage.ts'

/** The server that is measured. */
export interface Target {
  readonly url: string
  readonly description: string
  /** Bearer tokens of people; the first posts where nobody in particular is asked for. */
  readonly people: readonly string[]
  /** Authors with exactly so many followers, those of `people` first among them. */
  readonly authors: readonly { readonly followers: number; readonly token: string }[]
  /** People who follow a thousand. */
  readonly readers: readonly string[]
  /** The status that began a thread of 500 answers. */
  readonly thread: string | undefined
  /** Undefined for a server of somebody else. */
  readonly own: OwnServer | undefined
  close(): Promise<void>
}

/** What can be done and seen only with a server that was started here. */
export interface OwnServer {
  readonly dataDir: string
  /** Of its processes, without the database. */
  usage(): Promise<Usage | undefined>
  databaseUse(): Promise<DatabaseUse>
  /** See `DatabaseWatch`. */
  writtenSince(sinceMs: number): Promise<Map<number, number>>
  /** Stops it together with its database, and starts both. @returns milliseconds from the start to the first answer */
  restart(workers: number): Promise<number>
}
