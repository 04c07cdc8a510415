import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { isLinkedDataSigned, verifyDocument } from '../document_signatures/index.ts'
import { forwardActivity } from '../send/index.ts'
import { activityTypeOf, hostOf, idOf, isObject, type JsonObject } from '../protocol/index.ts'
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
  if (!(await verifyDocument(services, activity, actorUri, host))) return
  await forwardActivity(services.database, { accounts, object, body, without: hostOf(actorUri) ?? '' })
}
