import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, instanceActorUri, keyUri } from '../terms/index.ts'
import { ownKeys } from './own_keys.ts'
import type { Signer } from './sign.ts'

/** A local account as a signer, or the server's own actor (null). */
export async function signerOf(services: Services, account: Id | null): Promise<Signer> {
  const { publicUrl } = services.config
  const { privateKey } = await ownKeys(services).of(account)
  return { keyId: keyUri(account === null ? instanceActorUri(publicUrl) : actorUri(publicUrl, account)), privateKey }
}
