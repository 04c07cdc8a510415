import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { Response, type Context } from '../../platform/http/index.ts'
import { requireSigner, optionalSigner, type RemoteSigner } from '../http_signatures/index.ts'
import { ACTIVITY_TYPE } from '../protocol/index.ts'
import { findActor, type ActorRow } from './actor.ts'
import { withContext } from './context.ts'
import { ANONYMOUS, type Reader } from './note_row.ts'

const findReader = query('federation/documents/reader', { uri: c.text, host: c.text }, { id: c.nullable(c.id) })

/** The common part of the declarations of operations that answer with documents. */
export const DOCUMENT = {
  method: 'GET',
  auth: 'public',
  scopes: [],
  cache: 'handler',
  returns: 'application/activity+json',
} as const

/** Whether all requests for documents must be signed. */
const needsSignature = ({ settings }: Pick<Context, 'settings'>): boolean =>
  settings.get('authorized_fetch') || settings.get('limited_federation_mode')

const varyHeader = (context: Context): string =>
  needsSignature(context) ? 'Accept, Accept-Language, Cookie, Signature' : 'Accept, Accept-Language, Cookie'

/** The reader that signed a request; deliveries to its server are no longer paused. */
export async function readerOf({ database }: Context, { uri, host }: RemoteSigner): Promise<Reader> {
  const found = await database.one(findReader, { uri, host })
  return { account: found?.id ?? null, host }
}

/**
 * The reader of a document: the actor that signed the request, or anybody.
 * @throws ApiError in authorized fetch mode, if the request is not signed properly
 */
export async function identifyReader(context: Context): Promise<Reader> {
  if (!needsSignature(context)) {
    const signer = await optionalSigner(context)
    return signer ? readerOf(context, signer) : ANONYMOUS
  }
  try {
    return await readerOf(context, await requireSigner(context))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, { message: error.message, headers: { Vary: varyHeader(context) }, cause: error })
  }
}

/**
 * Sends a document.
 * @param maxAgeS how long caches may store it
 * @param isPersonal whether it depends on the signer, so that it is not cached
 */
export function sendDocument(
  context: Context,
  object: object,
  maxAgeS: number,
  isPersonal = needsSignature(context),
): Response {
  const caching = isPersonal ? 'private, no-store' : `public, max-age=${maxAgeS}`
  const headers = { 'Cache-Control': caching, Vary: varyHeader(context) }
  return new Response(200, `${ACTIVITY_TYPE}; charset=utf-8`, JSON.stringify(withContext(object)), headers)
}

/** The account is there no longer, or not for now; caches may say so for three minutes. */
const unavailable = (context: Context, code: 'forbidden' | 'gone'): ApiError =>
  new ApiError(code, { headers: { 'Cache-Control': 'public, max-age=180', Vary: varyHeader(context) } })

/**
 * Finds a local account whose document may be fetched, even a suspended one.
 * @throws ApiError routeNotFound, forbidden while its deletion is pending, gone
 */
export async function requireActor(context: Context, account: Id): Promise<ActorRow> {
  const row = await findActor(context, account)
  if (!row) throw new ApiError('routeNotFound')
  if (row.state === 'deleted') throw unavailable(context, 'gone')
  if (row.state === 'going') throw unavailable(context, 'forbidden')
  return row
}

/**
 * Finds a local account whose collections and statuses may be fetched.
 * @throws ApiError routeNotFound, forbidden, gone
 */
export async function requireActiveActor(context: Context, account: Id): Promise<ActorRow> {
  const row = await requireActor(context, account)
  if (row.state !== 'active') throw unavailable(context, 'forbidden')
  return row
}
