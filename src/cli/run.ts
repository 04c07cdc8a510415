import { CommanderError } from 'commander'
import { InvalidConfig } from '../core/config.ts'
import { BackupError } from '../platform/backup/backup_error.ts'
import { MigrationError, NewerDatabaseError } from '../platform/database/migrate.ts'
import { DatabaseAway } from '../platform/database/reach.ts'
import { ApiError } from '../core/errors.ts'
import { InvalidSetting } from '../platform/settings/index.ts'
import { onStopSignals } from '../core/signals.ts'
import { buildProgram } from './program.ts'
import { CliError } from './cli_error.ts'
import { openCliContext, type Environment, type Streams } from './cli_context.ts'

/** sysexits.h: EX_CONFIG. */
const BAD_CONFIG = 78
const INTERRUPTED = 130

const EXPECTED_ERRORS = [BackupError, CliError, DatabaseAway, InvalidConfig, InvalidSetting, MigrationError]

/** Accepts `--reset_password` for `--reset-password`, for operators of Mastodon. */
const toDashes = (argument: string): string => argument.replace(/^--[a-z0-9_-]+/, name => name.replaceAll('_', '-'))

/** Normalises the options before a lone `--`; arguments after it are not changed. */
function normalise(args: readonly string[]): string[] {
  const end = args.indexOf('--')
  return args.map((argument, index) => (end === -1 || index < end ? toDashes(argument) : argument))
}

/** Codes of a full disk: the system's, and PostgreSQL's disk_full. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether an error or its cause is a full disk. */
const isDiskFull = (error: unknown): error is Error =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && DISK_FULL_CODES.has(error.code)) || isDiskFull(error.cause))

/** The message for an error; unexpected errors have their stack. */
function describeError(error: unknown): string {
  if (isDiskFull(error)) return `The disk is full, free some space first: ${error.message}`
  if (error instanceof Error && EXPECTED_ERRORS.some(kind => error instanceof kind)) return error.message
  if (error instanceof ApiError) {
    const { cause } = error
    return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
  }
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string' && error.message !== '') return error.message
  // The errors of several addresses have no common message.
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ')
  return error.stack ?? error.message
}

/**
 * Runs one command: its output goes to standard output, errors to standard error.
 * @returns the exit status: 0, 1 for a failure, 78 for an invalid configuration or a database of a
 * newer release, 130 after an interrupt
 */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  streams: Streams = { output: process.stdout, error: process.stderr },
): Promise<number> {
  const context = openCliContext(environment, streams)
  const interrupt = (): void => {
    void context.close().finally(() => process.exit(INTERRUPTED))
  }
  const removeHandlers = onStopSignals(interrupt, () => process.exit(INTERRUPTED))
  try {
    await buildProgram(context, streams).parseAsync(normalise(args), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    context.warn(describeError(error))
    return error instanceof InvalidConfig || error instanceof NewerDatabaseError ? BAD_CONFIG : 1
  } finally {
    await context.close()
    removeHandlers()
  }
}
