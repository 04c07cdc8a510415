import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { empty, operation, param, type AnyOperation, type Context, type Response } from '../../platform/http/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sha256 } from '../keys/index.ts'
import { parseSynchronizationHeader, synchronizeFollowers } from '../receive/index.ts'
import { isSigned, requireSigner, type RemoteSigner } from '../http_signatures/index.ts'
import { isSenderDeleted } from './deleted_senders.ts'
import { verifyPassedOn } from './passed_on.ts'
import { receivedActivities } from './received_activities.ts'
import {
  activityTypeOf,
  hostOf,
  idOf,
  hasActivityStreamsContext,
  parseObject,
  type ActivityType,
  type JsonObject,
} from '../protocol/index.ts'

const findOwner = query('federation/inbox/owner', { account: c.id }, { id: c.id, gone: c.boolean })
const isKnownActor = query('federation/inbox/is_known_actor', { uri: c.text }, { known: c.boolean })

const SYNCHRONIZATION_HEADER = 'collection-synchronization'

const accepted = (): Response => empty(202)

/** Whether an activity of one of these types is about its own actor. */
const isAboutItself = (activity: JsonObject | undefined, types: readonly ActivityType[]): boolean =>
  activity !== undefined &&
  idOf(activity['object']) === idOf(activity['actor']) &&
  types.some(type => type === activityTypeOf(activity))

/**
 * Whether an activity is the Delete or Update of an unknown actor. Servers send the deletion of an
 * account to all servers that they know; its signature cannot be verified, as its key is deleted.
 */
async function isAboutUnknownActor({ database }: Context, activity: JsonObject | undefined): Promise<boolean> {
  const actor = idOf(activity?.['actor'])
  if (actor === undefined || !isAboutItself(activity, ['Delete', 'Update'])) return false
  return (await database.one(isKnownActor, { uri: actor }))?.known !== true
}

/** Enqueues the comparison of followers if a delivery has the header of FEP-8fcf. */
async function enqueueSynchronization({ request, config, database }: Context, actor: string): Promise<void> {
  const header = config.followersSynchronization ? (request.signedHeaders?.get(SYNCHRONIZATION_HEADER) ?? '') : ''
  const claim = header === '' ? undefined : parseSynchronizationHeader(actor, header)
  if (!claim) return
  // One job is enough for several deliveries at the same time.
  await enqueue(database, synchronizeFollowers, claim, { key: `federation.synchronize_followers:${sha256(actor)}` })
}

/**
 * The actor that sent a delivery. The key of a deleted account may be deleted too; its Delete is
 * then accepted without a valid signature if its server answers that the account is gone.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
async function requireSender(context: Context, activity: JsonObject | undefined): Promise<RemoteSigner> {
  try {
    return await requireSigner(context)
  } catch (error) {
    const [actor, host] = [idOf(activity?.['actor']), hostOf(idOf(activity?.['actor']) ?? '')]
    const isDeletion = isSigned(context) && isAboutItself(activity, ['Delete'])
    if (!isDeletion || actor === undefined || host === undefined || !(await isSenderDeleted(context, actor)))
      throw error
    return { uri: actor, host }
  }
}

/**
 * Accepts a delivery of another server. A job processes it, and retries after a failure. If the
 * actor is not the one that signed the request, the activity is ignored unless the actor has signed
 * it.
 * @throws ApiError signatureInvalid, signatureMalformed, signatureForbidden, signatureUnchecked
 */
async function acceptDelivery(context: Context, recipient: Id | null): Promise<Response> {
  const body = context.body.toString()
  const activity = parseObject(body)
  if (await isAboutUnknownActor(context, activity)) return accepted()
  const signer = await requireSender(context, activity)
  const actor = idOf(activity?.['actor'])
  if (!activity || actor === undefined || !hasActivityStreamsContext(activity)) return accepted()
  const text = actor === signer.uri ? body : await verifyPassedOn(context, activity, actor, signer.host)
  if (text === undefined) return accepted()
  const isOwn = actor === signer.uri
  // Whoever passes an activity on does not decide to whom it is addressed.
  await receivedActivities(context).store({ host: signer.host, actor, body: text, recipient: isOwn ? recipient : null })
  if (isOwn) await enqueueSynchronization(context, actor)
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
  handle: (_, context) => acceptDelivery(context, null),
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
    return acceptDelivery(context, owner.id)
  },
})

export const operations: readonly AnyOperation[] = [sharedInbox, personalInbox]
