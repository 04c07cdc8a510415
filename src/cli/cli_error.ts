/**
 * An expected failure of a command, printed to standard error without a stack; the exit status is
 * 1.
 */
export class CliError extends Error {
  override readonly name = 'CliError'
}
