import { OutgoingFailure } from '../../platform/http_client/index.ts'

/** The result of requests to another server, or how they failed. */
export async function orOutgoingFailure<T>(request: Promise<T>): Promise<T | OutgoingFailure> {
  try {
    return await request
  } catch (error) {
    if (error instanceof OutgoingFailure) return error
    throw error
  }
}

/** The result of requests to another server; undefined when the server fails or gives no answer. */
export async function ignoreOutgoingFailure<T>(request: Promise<T>): Promise<T | undefined> {
  const result = await orOutgoingFailure(request)
  return result instanceof OutgoingFailure ? undefined : result
}
