import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { finger } from './webfinger.ts'

/**
 * The URI of the actor that WebFinger names for a handle.
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveHandleUri(
  services: Services,
  username: string,
  domain: string,
): Promise<string | undefined> {
  const found = await finger(services, username, domain).catch((error: unknown) => {
    if (error instanceof OutgoingFailure && error.reason === 'refused') return undefined
    throw error
  })
  return found === undefined || found === 'gone' ? undefined : found.self
}
