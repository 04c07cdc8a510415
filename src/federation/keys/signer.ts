import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, instanceActorUri, keyUri } from '../protocol/index.ts'
import { openPrivateKey, ownKeys } from './own_keys.ts'
import type { Signer } from './sign.ts'

/**
 * A local account as a signer, or the server's own actor (null).
 * @param stored a private key in the place of the current one, as it is stored
 */
export async function signerOf(services: Services, account: Id | null, stored: Buffer | null = null): Promise<Signer> {
  const { publicUrl } = services.config
  const privateKey =
    stored === null ? (await ownKeys(services).of(account)).privateKey : openPrivateKey(services, account, stored)
  return { keyId: keyUri(account === null ? instanceActorUri(publicUrl) : actorUri(publicUrl, account)), privateKey }
}
