import type { Context } from '../../platform/http/index.ts'
import { hostOf } from '../terms/index.ts'
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

/** @throws ApiError signatureInvalid, signatureForbidden, signatureUnchecked */
async function findKey(context: Context, keyId: string, fresh: boolean): Promise<RemoteKey> {
  const named = /^acct:[^@]+@(.+)$/.exec(keyId)?.[1]
  const host = named === undefined ? hostOf(keyId) : hostOf(`https://${named}`)
  const missing = (status: 401 | 403) => signatureError(`Public key not found for key ${keyId}`, status)
  if (host === undefined) throw missing(401)
  if (!(await isReachableHost(context, host))) throw missing(403)
  const keys = remoteKeys(context)
  const found = fresh
    ? await keys.refresh(keyId, context.request.address)
    : await keys.find(keyId, context.request.address)
  if (!found) throw fresh ? signatureError(`Could not refresh public key ${keyId}`) : missing(401)
  // A key may be listed by an actor on another server than the key's own URL.
  const owner = hostOf(found.key.owner)
  if (owner !== host && !(owner !== undefined && (await isReachableHost(context, owner)))) throw missing(403)
  return found
}

const matches = (presented: Presented, { key }: RemoteKey): boolean => presented.matches(key.publicKey)

/**
 * The actor that signed the request. A kept key that does not fit is fetched once more.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
export async function requireSigner(context: Context): Promise<RemoteSigner> {
  const presented = read(context)
  let found = await findKey(context, presented.keyId, false)
  let isGood = matches(presented, found)
  if (!isGood && !found.fresh) {
    found = await findKey(context, presented.keyId, true)
    isGood = matches(presented, found)
  }
  const { owner } = found.key
  if (!isGood) throw signatureError(`Verification failed for ${found.key.handle} ${owner} ${presented.keyId}`)
  return { uri: owner, host: hostOf(owner) ?? '' }
}
