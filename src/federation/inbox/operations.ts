import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { empty, operation, param, type AnyOperation, type Context, type Response } from '../../platform/http/index.ts'
import { verifyDocument } from '../document_signatures/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sha256 } from '../keys/index.ts'
import { parseSynchronizationHeader, synchronizeFollowers } from '../receive/index.ts'
import { isDeleted } from '../remote_accounts/index.ts'
import { isSigned, requireSigner, type RemoteSigner } from '../http_signatures/index.ts'
import { incoming } from './incoming.ts'
import { hostOf, idOf, hasActivityStreamsContext, parseObject, typesOf, type JsonObject } from '../protocol/index.ts'

const findOwner = query('federation/inbox/owner', { account: c.id }, { id: c.id, gone: c.boolean })
const isKnown = query('federation/inbox/known', { uri: c.text }, { known: c.boolean })

const SYNCHRONIZATION = 'collection-synchronization'

const accepted = (): Response => empty(202)

/** Whether an activity of one of these types is about its own actor. */
const isOfItself = (activity: JsonObject | undefined, types: readonly string[]): boolean =>
  activity !== undefined &&
  idOf(activity['object']) === idOf(activity['actor']) &&
  typesOf(activity).some(type => types.includes(type))

/**
 * Servers report the deletion of an account to all servers that they know, when its key is deleted
 * too. An account that is not stored here needs no change.
 */
async function concernsNobody({ database }: Context, activity: JsonObject | undefined): Promise<boolean> {
  const actor = idOf(activity?.['actor'])
  if (actor === undefined || !isOfItself(activity, ['Delete', 'Update'])) return false
  return (await database.one(isKnown, { uri: actor }))?.known !== true
}

/** FEP-8fcf: deliveries for followers carry a digest of the followers that the sender knows. */
async function compareFollowers({ request, config, database }: Context, actor: string): Promise<void> {
  const header = config.followersSynchronization ? (request.signedHeaders?.get(SYNCHRONIZATION) ?? '') : ''
  const claim = header === '' ? undefined : parseSynchronizationHeader(actor, header)
  if (!claim) return
  // One job is enough for several deliveries at the same time.
  await enqueue(database, synchronizeFollowers, claim, { key: `federation.synchronize_followers:${sha256(actor)}` })
}

/** The text of a forwarded activity, reduced to the members that its actor has signed. */
async function passedOn(context: Context, activity: JsonObject, actor: string): Promise<string | undefined> {
  const document = await verifyDocument(context, activity, actor)
  return idOf(document?.['actor']) === actor ? JSON.stringify(document) : undefined
}

/**
 * Who sent a delivery. A deleted account's key may be gone with it; then its server's word that the
 * account is deleted stands for the signature of that Delete.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
async function senderOf(context: Context, activity: JsonObject | undefined): Promise<RemoteSigner> {
  try {
    return await requireSigner(context)
  } catch (error) {
    const [actor, host] = [idOf(activity?.['actor']), hostOf(idOf(activity?.['actor']) ?? '')]
    const isDeletion = isSigned(context) && isOfItself(activity, ['Delete'])
    if (!isDeletion || actor === undefined || host === undefined || !(await isDeleted(context, actor))) throw error
    return { uri: actor, host }
  }
}

/**
 * Accepts a delivery of another server. A job processes it, and retries if that fails. An activity
 * of another actor than the one that signed the request is ignored, unless it is signed itself.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
async function deliver(context: Context, recipient: Id | null): Promise<Response> {
  const body = context.body.toString()
  const activity = parseObject(body)
  if (await concernsNobody(context, activity)) return accepted()
  const signer = await senderOf(context, activity)
  const actor = idOf(activity?.['actor'])
  if (!activity || actor === undefined || !hasActivityStreamsContext(activity)) return accepted()
  const text = actor === signer.uri ? body : await passedOn(context, activity, actor)
  if (text === undefined) return accepted()
  await incoming(context).accept({ host: signer.host, actor, body: text, recipient })
  if (actor === signer.uri) await compareFollowers(context, actor)
  return accepted()
}

/** The common part of the declarations of inboxes. */
const INBOX = {
  method: 'POST',
  auth: 'handler',
  scopes: [],
  rawBody: true,
  allowWhenClosed: 'always',
  cache: 'handler',
  returns: 'empty',
  statuses: [202],
} as const

const sharedInbox = operation({
  ...INBOX,
  path: ['/inbox', '/actor/inbox'],
  summary: 'Deliver an activity of another server',
  params: {},
  handle: (_, context) => deliver(context, null),
})

const personalInbox = operation({
  ...INBOX,
  path: '/ap/users/:id/inbox',
  summary: 'Deliver an activity of another server to an account',
  params: { id: param.id() },
  async handle({ id }, context) {
    const owner = await context.database.one(findOwner, { account: id })
    if (!owner) throw new ApiError('routeNotFound')
    if (owner.gone) throw new ApiError('gone')
    return deliver(context, owner.id)
  },
})

export const operations: readonly AnyOperation[] = [sharedInbox, personalInbox]
