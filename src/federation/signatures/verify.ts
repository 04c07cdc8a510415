import { ApiError } from '../../core/errors.ts'
import type { Context } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'
import { isReachableHost } from '../fetch/index.ts'
import { readCavage } from './cavage.ts'
import { readMessageSignature } from './message_signature.ts'
import type { Presented, SignedRequest } from './presented.ts'
import { remoteKeys, type RemoteKey } from './remote_keys.ts'
import { signatureError } from './signature_error.ts'

/** The actor of another server that signed a request. */
export interface RemoteSigner {
  /** The URI of the actor. */
  readonly uri: string
  /** Of the actor's server, with the port where there is one. */
  readonly host: string
}

type Signed = Pick<Context, 'request' | 'body' | 'config'>

export const isSigned = ({ request }: Pick<Context, 'request'>): boolean =>
  request.header('signature') !== '' || request.header('signature-input') !== ''

function requestOf({ request, body, config }: Signed): SignedRequest {
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`
  return {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    target,
    url: `${config.publicUrl}${target}`,
    headers: request.signedHeaders ?? new Map<string, string>(),
    body,
  }
}

function read(context: Signed): Presented {
  if (!isSigned(context)) throw signatureError('Request not signed')
  const request = requestOf(context)
  return context.request.header('signature-input') === '' ? readCavage(request) : readMessageSignature(request)
}

/**
 * The key of an actor whose server this one exchanges with.
 * @param address the client's: after a failed connection its requests are refused for some time
 * @param fresh fetches it even if it is stored
 * @throws ApiError signatureInvalid, signatureForbidden, signatureUnchecked
 */
export async function findActorKey(
  services: Services,
  keyId: string,
  address: string,
  fresh: boolean,
): Promise<RemoteKey> {
  const named = /^acct:[^@]+@(.+)$/.exec(keyId)?.[1]
  const host = named === undefined ? hostOf(keyId) : hostOf(`https://${named}`)
  const missing = (status: 401 | 403) => signatureError(`Public key not found for key ${keyId}`, status)
  if (host === undefined) throw missing(401)
  if (!(await isReachableHost(services, host))) throw missing(403)
  const keys = remoteKeys(services)
  const found = fresh ? await keys.refresh(keyId, address) : await keys.find(keyId, address)
  if (!found) throw fresh ? signatureError(`Could not refresh public key ${keyId}`) : missing(401)
  // A key may be listed by an actor on another server than the key's own URL.
  const owner = hostOf(found.key.owner)
  if (owner !== host && !(owner !== undefined && (await isReachableHost(services, owner)))) throw missing(403)
  return found
}

const matches = (presented: Presented, { key }: RemoteKey): boolean => presented.matches(key.publicKey)

/**
 * The actor that signed the request. A stored key that does not verify it is fetched again, once.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
export async function requireSigner(context: Context): Promise<RemoteSigner> {
  try {
    return await findSigner(context)
  } catch (error) {
    if (error instanceof ApiError) context.metrics.signaturesRefused.inc({ status: error.status })
    throw error
  }
}

async function findSigner(context: Context): Promise<RemoteSigner> {
  const presented = read(context)
  const { address } = context.request
  let found = await findActorKey(context, presented.keyId, address, false)
  let isGood = matches(presented, found)
  if (!isGood && !found.fresh) {
    found = await findActorKey(context, presented.keyId, address, true)
    isGood = matches(presented, found)
  }
  const { owner } = found.key
  if (!isGood) throw signatureError(`Verification failed for ${found.key.handle} ${owner} ${presented.keyId}`)
  return { uri: owner, host: hostOf(owner) ?? '' }
}
