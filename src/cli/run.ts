import { CommanderError } from 'commander'
import { InvalidConfig } from '../core/config.ts'
import { MigrationError } from '../platform/database/migrate.ts'
import { ApiError } from '../core/errors.ts'
import { InvalidSetting } from '../platform/settings/index.ts'
import { onStopSignals } from '../core/signals.ts'
import { buildProgram } from './program.ts'
import { CliError } from './cli_error.ts'
import { openSession, type Environment, type Streams } from './cli_context.ts'

/** sysexits.h: EX_CONFIG. */
const BAD_CONFIG = 78
const INTERRUPTED = 130

const FORESEEN = [CliError, InvalidConfig, InvalidSetting, MigrationError]

/** `--reset_password` is `--reset-password`, as operators of Mastodon may write it. */
const dashed = (argument: string): string => argument.replace(/^--[a-z0-9_-]+/, name => name.replaceAll('_', '-'))

/** Options come before a lone `--`; what follows it stays as it is. */
function normalise(given: readonly string[]): string[] {
  const end = given.indexOf('--')
  return given.map((argument, index) => (end === -1 || index < end ? dashed(argument) : argument))
}

/** What the operator is told of an error: what we foresaw in one line, the rest with its stack. */
function explain(error: unknown): string {
  if (error instanceof Error && FORESEEN.some(kind => error instanceof kind)) return error.message
  if (error instanceof ApiError) {
    const { cause } = error
    return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
  }
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string' && error.message !== '') return error.message
  // Errors of several addresses that were tried have no message of their own.
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ')
  return error.stack ?? error.message
}

/**
 * Runs one command: its output on standard output, errors on standard error.
 * @returns the exit status: 0, 1 for what cannot be done, 78 for a faulty environment, 130 when interrupted
 */
export async function runCommand(
  given: readonly string[],
  environment: Environment,
  streams: Streams = { output: process.stdout, error: process.stderr },
): Promise<number> {
  const session = openSession(environment, streams)
  const interrupt = (): void => {
    void session.close().finally(() => process.exit(INTERRUPTED))
  }
  const removeHandlers = onStopSignals(interrupt, () => process.exit(INTERRUPTED))
  try {
    await buildProgram(session, streams).parseAsync(normalise(given), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    session.warn(explain(error))
    return error instanceof InvalidConfig ? BAD_CONFIG : 1
  } finally {
    await session.close()
    removeHandlers()
  }
}
