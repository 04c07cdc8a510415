import { ApiError } from '../../core/errors.ts'
import type { Context } from '../../platform/http/index.ts'
import { isSigned, requireSigner, type RemoteSigner } from './verify.ts'

/**
 * The signer of a request that need not be signed; undefined without a valid signature.
 */
export async function optionalSigner(context: Context): Promise<RemoteSigner | undefined> {
  if (!isSigned(context)) return undefined
  try {
    return await requireSigner(context)
  } catch (error) {
    if (error instanceof ApiError && error.status < 600) return undefined
    throw error
  }
}
