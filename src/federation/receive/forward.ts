import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { isLinkedDataSigned, verifyDocument } from '../document_signatures/index.ts'
import { sha256 } from '../keys/index.ts'
import { isRelayedBy } from '../relays/index.ts'
import { forwardActivity } from '../send/index.ts'
import { activityTypeOf, hostOf, idOf, isObject, parseObject, type JsonObject } from '../protocol/index.ts'
import type { VerifiedActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'

const findAccounts = query('federation/receive/forwarding_accounts', { status: c.id }, { id: c.id })

async function findForwardingAccounts(services: Services, uri: string): Promise<Id[]> {
  const status = await findStatusByUri(services, services.database, uri)
  if (!status || status.local) return []
  return (await services.database.run(findAccounts, { status: status.id })).map(({ id }) => id)
}

/** Whether an activity may be forwarded: a Delete or a reply with a signature inside. */
export function mayBeForwarded(activity: JsonObject): boolean {
  const type = activityTypeOf(activity)
  const object = activity['object']
  const isReply = type === 'Create' && (!isObject(object) || idOf(object['inReplyTo']) !== undefined)
  return isLinkedDataSigned(activity) && (type === 'Delete' || isReply)
}

/** By the object, so that a deletion is forwarded after what it deletes. */
const QUEUES = 2

interface Forwarding {
  readonly accounts: readonly Id[]
  readonly object: string
  readonly body: string
  readonly actor: string
  /** The host that delivered it. */
  readonly host: string
}

function parseForwarding(payload: unknown): Forwarding {
  const textIn = (name: string): string => {
    const value = memberOf(payload, name)
    if (typeof value !== 'string') throw new Error(`the payload has no ${name}`)
    return value
  }
  const ids = memberOf(payload, 'accounts')
  const accounts = (Array.isArray(ids) ? ids : []).flatMap(id => (typeof id === 'string' ? (parseId(id) ?? []) : []))
  return { accounts, object: textIn('object'), body: textIn('body'), actor: textIn('actor'), host: textIn('host') }
}

/**
 * Forwards an activity if its actor has signed it. A job, because that cannot be checked now when
 * the server of the key is away, or the time for signed documents is spent.
 */
export const forwardSigned = job<Forwarding, Services>(
  'federation.forward',
  parseForwarding,
  async ({ accounts, object, body, actor, host }, services) => {
    const activity = parseObject(body)
    if (!activity) return
    const deliverer = { host, isRelay: await isRelayedBy(services, host, actor) }
    if (!(await verifyDocument(services, activity, actor, deliverer))) return
    await forwardActivity(services.database, { accounts, object, body, without: hostOf(actor) ?? '' })
  },
  { attempts: 8, priority: 20 },
)

/**
 * Processes an activity, and forwards it if it is signed and creates or deletes a reply to a local
 * status: the sender's server does not know the followers of the local author on other servers.
 * @param body the text as received
 */
export async function processAndForward(
  services: Services,
  { activity, actorUri, deliveredBy }: VerifiedActivity,
  body: string,
  process: () => Promise<void>,
): Promise<void> {
  const object = idOf(activity['object'])
  const isDelete = activityTypeOf(activity) === 'Delete'
  if (object === undefined || object === actorUri || !mayBeForwarded(activity)) return process()
  const before = await findStatusByUri(services, services.database, object)
  const accounts = isDelete ? await findForwardingAccounts(services, object) : []
  await process()
  const after = await findStatusByUri(services, services.database, object)
  if (!isDelete && !before && after) accounts.push(...(await findForwardingAccounts(services, object)))
  if (accounts.length === 0 || (isDelete && after)) return
  const host = deliveredBy ?? hostOf(actorUri) ?? ''
  const queue = `federation.forward:${Buffer.from(sha256(object), 'base64').readUInt8() % QUEUES}`
  await enqueue(services.database, forwardSigned, { accounts, object, body, actor: actorUri, host }, { queue })
}
