/** What a command cannot do, told in one clear line (or a few) on standard error; the exit status is 1. */
export class CliError extends Error {
  override readonly name = 'Refusal'
}
