import { ApiError } from '../core/errors.ts'
import { CliError } from './cli_error.ts'

/**
 * Rethrows an API error of some work as a command line error.
 * @param notFoundMessage the message when the record does not exist; by default that of the error
 * @throws CliError
 */
export async function withCliError<T>(work: Promise<T>, notFoundMessage?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const message = error.message.replace(/^Validation failed: /, '')
    throw new CliError(error.code === 'notFound' ? (notFoundMessage ?? message) : message, { cause: error })
  }
}
