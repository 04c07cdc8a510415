import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor, type RemoteActor } from '../actors/index.ts'
import { parseLocal } from '../protocol/index.ts'
import {
  fetchDocument,
  finger,
  isReachable,
  mayDiscover,
  resolveHandleUri,
  subdomainLimit,
  type Finger,
} from '../fetch/index.ts'
import { removeActor } from './remove.ts'
import { storeActor } from './store.ts'

const byUri = query('federation/remote_accounts/account_by_uri', { uri: c.text }, { id: c.id })
const byHandle = query(
  'federation/remote_accounts/account_by_handle',
  { username: c.text, domain: c.text },
  { id: c.id },
)
const isKnownDomain = query('federation/remote_accounts/is_known_domain', { domain: c.text }, { known: c.boolean })
const localAccount = query('federation/remote_accounts/local_account', { id: c.id }, { id: c.id })

const sameName = (one: { username: string; domain: string }, other: { username: string; domain: string }): boolean =>
  one.username.toLowerCase() === other.username.toLowerCase() && one.domain === other.domain

/** Asks a server for a handle; an account whose handle is gone for good, as it says, is deleted. */
async function fingerOrRemove(
  services: Services,
  { username, domain }: { username: string; domain: string },
): Promise<Finger | undefined> {
  const found = await finger(services, username, domain)
  if (found !== 'gone') return found
  const known = await services.database.one(byHandle, { username, domain })
  if (known) await removeActor(services, known.id)
  return undefined
}

/**
 * The actor with the handle that WebFinger confirms: the handle that the document claims must lead
 * back to the actor. The answer may name another handle once.
 */
async function confirmed(services: Services, actor: RemoteActor): Promise<RemoteActor | undefined> {
  let found = await fingerOrRemove(services, actor)
  if (found === undefined) return undefined
  if (!sameName(found, actor)) {
    const claimed: Finger = found
    found = await fingerOrRemove(services, claimed)
    if (found === undefined || !sameName(found, claimed)) return undefined
  }
  if (found.self !== actor.uri) return undefined
  return { ...actor, username: found.username, domain: found.domain }
}

/** Longer ones do not fit into an index. */
const MAX_BYTES = 2048

const isBounded = ({ uri, username, domain }: RemoteActor): boolean =>
  Buffer.byteLength(uri) <= MAX_BYTES && Buffer.byteLength(username + domain) <= MAX_BYTES

/** Whether one more account of a domain may be stored. */
async function mayStore(services: Services, { domain }: RemoteActor): Promise<boolean> {
  if ((await services.database.one(isKnownDomain, { domain }))?.known) return true
  return subdomainLimit(services).mayAdd(domain)
}

/** Fetches, checks and stores an actor. @throws OutgoingFailure */
async function fetchActor(services: Services, uri: string, known: Id | undefined): Promise<Id | undefined> {
  if (known === undefined && !mayDiscover('accounts')) return undefined
  const fetched = await fetchDocument(services, uri)
  if (fetched.outcome === 'gone' && known !== undefined) await removeActor(services, known)
  if (fetched.outcome !== 'document') return undefined
  const actor = readActor(fetched.document)
  const checked = actor && isBounded(actor) ? await confirmed(services, actor) : undefined
  return checked && (await mayStore(services, checked)) ? storeActor(services, checked) : undefined
}

async function knownId({ database, config }: Services, uri: string): Promise<{ id: Id; local: boolean } | undefined> {
  const local = parseLocal(uri, config.publicUrl)
  if (local) {
    const found = local.kind === 'account' ? await database.one(localAccount, { id: local.account }) : undefined
    return found && { id: found.id, local: true }
  }
  const found = await database.one(byUri, { uri })
  return found && { id: found.id, local: false }
}

/**
 * The account of an actor: one that is known here, or fetched, checked and stored. Undefined when
 * there is none, or its server is not reached.
 * @param refresh fetches it even if it is known
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveActor(
  services: Services,
  uri: string,
  { refresh = false }: { refresh?: boolean } = {},
): Promise<Id | undefined> {
  const known = await knownId(services, uri)
  if (known && (known.local || !refresh)) return known.id
  if (!(await isReachable(services, uri))) return undefined
  return fetchActor(services, uri, known?.id)
}

/**
 * The account with a handle on another server, found by WebFinger if it is not known here.
 * @throws OutgoingFailure when its server gave no answer
 */
export async function resolveHandle(services: Services, username: string, domain: string): Promise<Id | undefined> {
  const known = await services.database.one(byHandle, { username, domain })
  if (known) return known.id
  const uri = await resolveHandleUri(services, username, domain)
  return uri === undefined ? undefined : resolveActor(services, uri)
}
