import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { isLinkedDataSigned, verifyDocument } from '../document_signatures/index.ts'
import { forwardActivity } from '../send/index.ts'
import { hostOf, idOf, isObject, typesOf, type JsonObject } from '../protocol/index.ts'
import type { Received } from './receiving.ts'
import { knownStatus } from './references.ts'

const findForwarders = query('federation/receive/forwarders', { status: c.id }, { id: c.id })

async function forwarders(services: Services, uri: string): Promise<Id[]> {
  const status = await knownStatus(services, services.database, uri)
  if (!status || status.local) return []
  return (await services.database.run(findForwarders, { status: status.id })).map(({ id }) => id)
}

/** Whether others may pass an activity on: a signed deletion, or answer. */
export function mayBeForwarded(activity: JsonObject): boolean {
  const types = typesOf(activity)
  const object = activity['object']
  const answers = types.includes('Create') && (!isObject(object) || idOf(object['inReplyTo']) !== undefined)
  return isLinkedDataSigned(activity) && (types.includes('Delete') || answers)
}

/**
 * Processes an activity, and passes it on if it is signed and creates a reply to a local status, or
 * deletes one: followers of the local author on other servers would miss it, as its own server does
 * not know them.
 * @param body the text as received
 */
export async function processAndForward(
  services: Services,
  { activity, actorUri }: Received,
  body: string,
  process: () => Promise<void>,
): Promise<void> {
  const object = idOf(activity['object'])
  const isDelete = typesOf(activity).includes('Delete')
  if (object === undefined || object === actorUri || !mayBeForwarded(activity)) return process()
  const before = await knownStatus(services, services.database, object)
  const accounts = isDelete ? await forwarders(services, object) : []
  await process()
  const after = await knownStatus(services, services.database, object)
  if (!isDelete && !before && after) accounts.push(...(await forwarders(services, object)))
  if (accounts.length === 0 || (isDelete && after) || !(await verifyDocument(services, activity, actorUri))) return
  await forwardActivity(services.database, { accounts, object, body, without: hostOf(actorUri) ?? '' })
}
