import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { getSigner, signText } from '../keys/index.ts'
import { textToSign } from './linked_data.ts'

const VALIDITY_MS = 2 * 24 * 60 * 60 * 1000

/**
 * Signs an activity of a local account with RsaSignature2017, so that other servers can forward it.
 */
export async function signDocument(services: Services, activity: object, account: Id): Promise<object> {
  const { keyId, privateKey } = await getSigner(services, account)
  const now = Date.now()
  const options = {
    creator: keyId,
    created: new Date(now).toISOString(),
    expires: new Date(now + VALIDITY_MS).toISOString(),
  }
  const text = await textToSign(services, activity, options)
  const signatureValue = await signText(text, privateKey)
  return { ...activity, signature: { type: 'RsaSignature2017', ...options, signatureValue } }
}
