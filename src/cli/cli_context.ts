import type { Writable } from 'node:stream'
import type { Config } from '../core/config.ts'
import type { Connection } from '../platform/database/index.ts'
import { createLogger, type Logger } from '../core/logger.ts'
import type { Services } from '../platform/services.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The outputs of a command. */
export interface Streams {
  readonly output: Writable
  readonly error: Writable
}

/**
 * The resources of a command. They are opened on demand, so that `ctl secret` needs no database.
 */
export interface CliContext {
  readonly environment: Environment
  /** @throws InvalidConfig */
  config(): Promise<Config>
  /**
   * The database: a configured one, or the embedded one, which is shared with a running server or
   * started.
   */
  connection(): Promise<Connection>
  /** The server's parts on a migrated database, without HTTP and without running jobs. */
  services(): Promise<Services>
  /** Migrates the schema; `log` gets the progress. */
  migrate(log: Logger): Promise<void>
  /** Prints a line to standard output. */
  print(line: string): void
  /** Prints a line to standard error. */
  warn(line: string): void
  /** Whether standard error is a terminal, which shows progress bars. */
  readonly showsProgress: boolean
  close(): Promise<void>
}

interface Part {
  close(): void | Promise<void>
}

/**
 * Logs warnings and errors to standard error, because standard output belongs to the command. Slow
 * queries are not logged: bulk work has many.
 */
function createWarnings({ logLevel }: Config, error: Writable): Logger {
  const logger = createLogger(
    { logLevel: logLevel === 'info' ? 'warn' : logLevel },
    { write: line => void error.write(line) },
  )
  return {
    ...logger,
    warn: (fields, message) =>
      message === 'slow query' ? logger.debug(fields, message) : logger.warn(fields, message),
  }
}

/** A promise that is created at the first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** Opens the command line's context for this environment. */
export function openSession(environment: Environment, { output, error }: Streams): CliContext {
  const open: Part[] = []
  const keep = <P extends Part>(part: P): P => {
    open.push(part)
    return part
  }
  const config = once(async () => (await import('../core/config.ts')).readConfig(environment))
  const connection = once(async (): Promise<Connection> => {
    const { databaseUrl, dataDir } = await config()
    if (databaseUrl !== undefined) return { connectionString: databaseUrl }
    const { startEmbedded } = await import('../platform/database/embedded/index.ts')
    return keep(await startEmbedded({ dataDir, log: () => undefined })).connection
  })
  const services = once(async () => {
    const { openServices, prepareDatabase } = await import('../app/server.ts')
    const known = await config()
    const place = await connection()
    const logger = createWarnings(known, error)
    await prepareDatabase(place, logger)
    return (await openServices(known, place, logger, keep)).services
  })
  return {
    environment,
    config,
    connection,
    services,
    async migrate(log) {
      const { prepareDatabase } = await import('../app/server.ts')
      await prepareDatabase(await connection(), log)
    },
    print: line => void output.write(`${line}\n`),
    warn: line => void error.write(`${line}\n`),
    showsProgress: error === process.stderr && process.stderr.isTTY,
    async close() {
      for (let last = open.pop(); last; last = open.pop()) await last.close()
    },
  }
}
