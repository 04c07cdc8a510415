import { OutgoingFailure } from '../../platform/http_client/index.ts'

/** The result of requests to another server; undefined when the server fails or gives no answer. */
export async function ignoreOutgoingFailure<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof OutgoingFailure) return undefined
    throw error
  }
}
