import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import type { Config } from '../core/config.ts'
import type { Connection } from '../platform/database/index.ts'
import { lazy } from '../core/lazy.ts'
import { createLogger, type Logger } from '../core/logger.ts'
import type { Services } from '../platform/services.ts'
import { CliError } from './cli_error.ts'
import { table } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The outputs of a command, and its input: standard input unless it is given. */
export interface Streams {
  readonly input?: Readable
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
  /** Prints rows under a heading; with `--json` as objects with the heading's names. */
  printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void
  /** Whether the output is collected as JSON, in which indentation has no meaning. */
  readonly isJson: boolean
  /** Collects all further output; the returned function prints it as one JSON array. */
  collectJson(): () => void
  /** Asks on standard error and reads a line; undefined at the end of the input. */
  ask(question: string): Promise<string | undefined>
  /** Prints a line to standard error. */
  warn(line: string): void
  /** Whether standard error is a terminal, which shows progress bars. */
  readonly showsProgress: boolean
  close(): Promise<void>
}

interface Closable {
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

/** The statement timeout of commands, longer than any of their statements. */
const COMMAND_SECONDS = 24 * 60 * 60

/**
 * The embedded database, which is shared with a running server or started. Says when it is new: an
 * operator whose environment lacks the server's settings would work on an empty one.
 * @throws CliError when it cannot be started
 */
async function openEmbedded(dataDir: string, output: Writable) {
  const { startEmbedded } = await import('../platform/database/embedded/index.ts')
  const onCreate = (folder: string): void => {
    output.write(
      `Creating a new database in ${folder}. If the server has another one, use its DATA_DIR, DATABASE_URL or ENV_FILE.\n`,
    )
  }
  return startEmbedded({ dataDir, log: () => undefined, onCreate }).catch((error: unknown) => {
    // The message is meant for operators, without a stack.
    throw new CliError(error instanceof Error ? error.message : String(error), { cause: error })
  })
}

/** A row as an object named after the heading: `SENT (UTC)` becomes `sent_utc`. */
const toObject = (heading: readonly string[], row: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    heading.map((name, column) => [
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_|_$/g, ''),
      row[column] ?? '',
    ]),
  )

/** Creates the context of a command for this environment. */
export function openCliContext(
  environment: Environment,
  { input = process.stdin, output, error }: Streams,
): CliContext {
  const closables: Closable[] = []
  const use = <P extends Closable>(part: P): P => {
    closables.push(part)
    return part
  }
  let collected: unknown[] | undefined
  const print = (line: string): void => {
    if (collected) collected.push(line)
    else output.write(`${line}\n`)
  }
  const answers = lazy(async () => {
    const lines = use(createInterface({ input }))
    return lines[Symbol.asyncIterator]()
  })
  const config = lazy(async () => {
    const { readEnvironment } = await import('../core/env_file.ts')
    return (await import('../core/config.ts')).readConfig(readEnvironment(environment))
  })
  const connection = lazy(async (): Promise<Connection> => {
    const { databaseUrl, dataDir } = await config()
    if (databaseUrl !== undefined) return (await import('../platform/database/reach.ts')).connectionTo(databaseUrl)
    return use(await openEmbedded(dataDir, error)).connection
  })
  const services = lazy(async () => {
    const { openServices, prepareDatabase } = await import('../app/server.ts')
    const loaded = await config()
    const target = await connection()
    const logger = createWarnings(loaded, error)
    // The server may run, on the files of the previous release until it is restarted.
    await prepareDatabase(target, logger, { whileServing: true })
    // No client waits for a command, so its statements may take long.
    return (await openServices({ ...loaded, databaseAnswerSeconds: COMMAND_SECONDS }, target, logger, use)).services
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
    print,
    printTable(heading, rows) {
      if (collected) collected.push(...rows.map(row => toObject(heading, row)))
      else for (const line of table(heading, rows)) print(line)
    },
    get isJson() {
      return collected !== undefined
    },
    collectJson() {
      const values: unknown[] = []
      collected = values
      return () => {
        collected = undefined
        print(JSON.stringify(values, null, 2))
      }
    },
    async ask(question) {
      error.write(question)
      const read = await (await answers()).next()
      return read.done === true ? undefined : read.value
    },
    warn: line => void error.write(`${line}\n`),
    showsProgress: error === process.stderr && process.stderr.isTTY,
    async close() {
      for (let closable = closables.pop(); closable; closable = closables.pop()) await closable.close()
    },
  }
}
