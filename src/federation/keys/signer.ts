import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, instanceActorUri, keyUri } from '../protocol/index.ts'
import { decryptPrivateKey, localKeys } from './local_keys.ts'
import type { Signer } from './sign.ts'

/**
 * A local account as a signer, or the instance actor (null).
 * @param storedKey an encrypted private key to use instead of the current one
 */
export async function getSigner(
  services: Services,
  account: Id | null,
  storedKey: Buffer | null = null,
): Promise<Signer> {
  const { publicUrl } = services.config
  const privateKey =
    storedKey === null
      ? (await localKeys(services).get(account)).privateKey
      : decryptPrivateKey(services, account, storedKey)
  return { keyId: keyUri(account === null ? instanceActorUri(publicUrl) : actorUri(publicUrl, account)), privateKey }
}
