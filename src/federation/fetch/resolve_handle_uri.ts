import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { queryWebFinger } from './webfinger.ts'

/**
 * The URI of the actor that WebFinger names for a handle; undefined when there is none.
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveHandleUri(
  services: Services,
  username: string,
  domain: string,
): Promise<string | undefined> {
  const result = await queryWebFinger(services, username, domain).catch((error: unknown) => {
    if (error instanceof OutgoingFailure && error.reason === 'refused') return undefined
    throw error
  })
  return result === undefined || result === 'gone' ? undefined : result.self
}
