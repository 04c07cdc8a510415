import { ApiError } from '../../core/errors.ts'
import type { Context } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf, isStorableUri, parseAcct } from '../protocol/index.ts'
import { federatesWith } from '../fetch/index.ts'
import { readCavage } from './cavage.ts'
import { readRfc9421 } from './rfc9421.ts'
import type { RequestSignature, SignedRequest } from './request_signature.ts'
import type { RemoteKey } from './actor_key.ts'
import { remoteKeys } from './remote_keys.ts'
import { signatureError } from './signature_error.ts'

/** The actor of another server that signed a request. */
export interface RemoteSigner {
  /** The URI of the actor. */
  readonly uri: string
  /** The host of the actor's server, with the port if it has one. */
  readonly host: string
}

type SignedContext = Pick<Context, 'request' | 'body' | 'config'>

export const isSigned = ({ request }: Pick<Context, 'request'>): boolean =>
  request.header('signature') !== '' || request.header('signature-input') !== ''

/**
 * The headers of a request, with the host of this server in the place of any other: a signature for
 * another server must not be valid here, and a proxy may have replaced the header.
 */
function headersForThisServer({ request, config }: SignedContext): ReadonlyMap<string, string> {
  const headers = request.signedHeaders ?? new Map<string, string>()
  const { protocol, host } = new URL(config.publicUrl)
  return hostOf(`${protocol}//${headers.get('host') ?? ''}`) === host ? headers : new Map(headers).set('host', host)
}

function signedRequest(context: SignedContext): SignedRequest {
  const { request, body, config } = context
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`
  return {
    method: request.method,
    target,
    url: `${config.publicUrl}${target}`,
    headers: headersForThisServer(context),
    body,
  }
}

function readSignature(context: SignedContext): RequestSignature {
  if (!isSigned(context)) throw signatureError('Request not signed')
  const request = signedRequest(context)
  return context.request.header('signature-input') === '' ? readCavage(request) : readRfc9421(request)
}

/**
 * The public key with an id. Its host, and the host of the actor that owns it, must be servers with
 * which this one federates.
 * @param address of the client: after a failed connection its requests are refused for some time
 * @param fresh fetches the key even if it is stored
 * @throws ApiError signatureInvalid, signatureForbidden, signatureUnchecked
 */
export async function findKey(services: Services, keyId: string, address: string, fresh: boolean): Promise<RemoteKey> {
  const host = parseAcct(keyId)?.domain ?? hostOf(keyId)
  const missing = (status: 401 | 403) => signatureError(`Public key not found for key ${keyId}`, status)
  if (host === undefined || !isStorableUri(keyId)) throw missing(401)
  if (!(await federatesWith(services, host))) throw missing(403)
  const keys = remoteKeys(services)
  const found = fresh ? await keys.refresh(keyId, address) : await keys.find(keyId, address)
  if (!found) throw fresh ? signatureError(`Could not refresh public key ${keyId}`) : missing(401)
  // A key may be listed by an actor on another server than the key's own URL.
  const owner = hostOf(found.key.owner)
  if (owner !== host && !(owner !== undefined && (await federatesWith(services, owner)))) throw missing(403)
  return found
}

const matches = (signature: RequestSignature, { key }: RemoteKey): boolean => signature.matches(key.publicKey)

/**
 * The actor that signed the request. If the signature does not match the stored key, the key is
 * fetched again, once.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
export async function requireSigner(context: Context): Promise<RemoteSigner> {
  try {
    return await verifyRequest(context)
  } catch (error) {
    if (error instanceof ApiError) context.metrics.signaturesRefused.inc({ status: error.status })
    throw error
  }
}

async function verifyRequest(context: Context): Promise<RemoteSigner> {
  const signature = readSignature(context)
  const { address } = context.request
  let found = await findKey(context, signature.keyId, address, false)
  let isVerified = matches(signature, found)
  if (!isVerified && !found.fresh) {
    found = await findKey(context, signature.keyId, address, true)
    isVerified = matches(signature, found)
  }
  if (!isVerified && found.failure) throw found.failure
  const { owner } = found.key
  if (!isVerified) throw signatureError(`Verification failed for ${found.key.handle} ${owner} ${signature.keyId}`)
  return { uri: owner, host: hostOf(owner) ?? '' }
}
