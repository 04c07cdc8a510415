import { ApiError } from '../core/errors.ts'
import { CliError } from './cli_error.ts'

/**
 * Turns the refusal of an action into an error of one line.
 * @param missing the message when the record does not exist
 * @throws CliError
 */
export async function explained<T>(work: Promise<T>, missing: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const message = error.code === 'notFound' ? missing : error.message.replace(/^Validation failed: /, '')
    throw new CliError(message, { cause: error })
  }
}
