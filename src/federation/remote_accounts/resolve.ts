import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor, type RemoteActor } from '../actors/index.ts'
import { isStorableUri, parseLocalUri } from '../protocol/index.ts'
import {
  fetchDocument,
  queryWebFinger,
  mayRequest,
  mayDiscover,
  resolveHandleUri,
  subdomainLimit,
  type WebFingerResult,
} from '../fetch/index.ts'
import { removeActor } from './remove.ts'
import { storeActor } from './store.ts'

const findByUri = query('federation/remote_accounts/account_by_uri', { uri: c.text }, { id: c.id })
const findByHandle = query(
  'federation/remote_accounts/account_by_handle',
  { username: c.text, domain: c.text },
  { id: c.id },
)
const isKnownDomain = query('federation/remote_accounts/is_known_domain', { domain: c.text }, { known: c.boolean })
const findLocal = query('federation/remote_accounts/local_account', { id: c.id }, { id: c.id })

const findDeletion = query('federation/remote_accounts/was_deleted', { uri: c.text }, { deleted: c.boolean })

/** Whether an actor said a short time ago that it is deleted: what it sent before may be late. */
export const wasDeleted = async ({ database }: Services, uri: string): Promise<boolean> =>
  (await database.one(findDeletion, { uri }))?.deleted === true

const isSameHandle = (
  one: { username: string; domain: string },
  other: { username: string; domain: string },
): boolean => one.username.toLowerCase() === other.username.toLowerCase() && one.domain === other.domain

/** Queries WebFinger for a handle; if the answer is 410, the stored account with it is deleted. */
async function queryOrRemove(
  services: Services,
  { username, domain }: { username: string; domain: string },
): Promise<WebFingerResult | undefined> {
  const found = await queryWebFinger(services, username, domain)
  if (found !== 'gone') return found
  const known = await services.database.one(findByHandle, { username, domain })
  if (known) await removeActor(services, known.id)
  return undefined
}

/**
 * Confirms the handle of an actor: WebFinger for the handle that the document claims must lead back
 * to the actor. The answer may redirect to another handle once, which the returned actor then has.
 */
async function confirmHandle(services: Services, actor: RemoteActor): Promise<RemoteActor | undefined> {
  let found = await queryOrRemove(services, actor)
  if (found === undefined) return undefined
  if (!isSameHandle(found, actor)) {
    const claimed: WebFingerResult = found
    found = await queryOrRemove(services, claimed)
    if (found === undefined || !isSameHandle(found, claimed)) return undefined
  }
  if (found.self !== actor.uri) return undefined
  return { ...actor, username: found.username, domain: found.domain }
}

/** Whether the columns that are indexed are short enough. */
const isStorable = ({ uri, username, domain }: RemoteActor): boolean =>
  isStorableUri(uri) && isStorableUri(`${username}@${domain}`)

/** Whether an account of this domain may be stored: the domain is known, or within the limit. */
async function isWithinSubdomainLimit(services: Services, { domain }: RemoteActor): Promise<boolean> {
  if ((await services.database.one(isKnownDomain, { domain }))?.known) return true
  return subdomainLimit(services).mayAdd(domain)
}

/** Fetches, checks and stores an actor. @throws OutgoingFailure */
async function fetchActor(
  services: Services,
  uri: string,
  known: Id | undefined,
  redirections: boolean,
): Promise<Id | undefined> {
  if (known === undefined && !mayDiscover('accounts')) return undefined
  const fetched = await fetchDocument(services, uri)
  if (fetched.outcome === 'gone' && known !== undefined) await removeActor(services, known)
  if (fetched.outcome !== 'document') return undefined
  const actor = readActor(fetched.document)
  const confirmed = actor && isStorable(actor) ? await confirmHandle(services, actor) : undefined
  if (!confirmed || !(await isWithinSubdomainLimit(services, confirmed))) return undefined
  return storeActor(services, confirmed, { redirections })
}

async function findAccountId(
  { database, config }: Services,
  uri: string,
): Promise<{ id: Id; local: boolean } | undefined> {
  const local = parseLocalUri(uri, config.publicUrl)
  if (local) {
    const found = local.kind === 'account' ? await database.one(findLocal, { id: local.account }) : undefined
    return found && { id: found.id, local: true }
  }
  const found = await database.one(findByUri, { uri })
  return found && { id: found.id, local: false }
}

/**
 * The account of an actor, which is fetched, confirmed and stored if it is unknown here. Undefined
 * when there is none, it was deleted a short time ago, or this server does not federate with its
 * server.
 * @param refresh fetches it even if it is known
 * @param redirections whether the account that it has moved to is resolved too
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveActor(
  services: Services,
  uri: string,
  { refresh = false, redirections = true }: { refresh?: boolean; redirections?: boolean } = {},
): Promise<Id | undefined> {
  const known = await findAccountId(services, uri)
  if (known && (known.local || !refresh)) return known.id
  if (!(await mayRequest(services, uri))) return undefined
  if (await wasDeleted(services, uri)) return undefined
  return fetchActor(services, uri, known?.id, redirections)
}

/**
 * The account with a handle on another server, found by WebFinger if it is not known here.
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveHandle(services: Services, username: string, domain: string): Promise<Id | undefined> {
  const known = await services.database.one(findByHandle, { username, domain })
  if (known) return known.id
  const uri = await resolveHandleUri(services, username, domain)
  return uri === undefined ? undefined : resolveActor(services, uri)
}
