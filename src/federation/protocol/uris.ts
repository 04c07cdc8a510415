import { parseId, type Id } from '../../core/id.ts'

/*
 * The identifiers of this server's objects for other servers. They are computed from ids, which
 * never change, so none is stored.
 */

/** The value of `to` or `cc` that addresses everybody. */
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

export const actorUri = (publicUrl: string, account: Id): string => `${publicUrl}/ap/users/${account}`
export const keyUri = (actor: string): string => `${actor}#main-key`
export const followersUri = (publicUrl: string, account: Id): string => `${actorUri(publicUrl, account)}/followers`
export const noteUri = (publicUrl: string, account: Id, status: Id): string =>
  `${actorUri(publicUrl, account)}/statuses/${status}`
/** The activity that creates a status; for a boost, the boost itself. */
export const activityUri = (publicUrl: string, account: Id, status: Id): string =>
  `${noteUri(publicUrl, account, status)}/activity`
export const instanceActorUri = (publicUrl: string): string => `${publicUrl}/actor`
export const sharedInboxUri = (publicUrl: string): string => `${publicUrl}/inbox`

/** Of a collection of accounts that a local account curates. */
export const collectionUri = (publicUrl: string, account: Id, collection: Id): string =>
  `${actorUri(publicUrl, account)}/collections/${collection}`

/** Of a conversation that a local status has begun. */
export const contextUri = (publicUrl: string, account: Id, status: Id): string =>
  `${publicUrl}/contexts/${account}-${status}`

/** Of an activity that nothing refers to. */
export const payloadUri = (publicUrl: string, uuid: string): string => `${publicUrl}/payloads/${uuid}`

/** Objects that have a number after their account. */
export const NUMBERED = ['follows', 'likes', 'blocks', 'votes', 'quote_requests', 'feature_requests', 'moves'] as const
export type Numbered = (typeof NUMBERED)[number]

export const numberedUri = (publicUrl: string, account: Id, kind: Numbered, id: Id): string =>
  `${actorUri(publicUrl, account)}#${kind}/${id}`

/** What a URI of this server names. `activity` is the creation of a status, or a boost. */
export type LocalThing =
  | { readonly kind: 'instance' }
  | { readonly kind: 'account' | 'followers'; readonly account: Id }
  | { readonly kind: 'status' | 'activity'; readonly account: Id; readonly status: Id }
  | { readonly kind: 'collection'; readonly account: Id; readonly collection: Id }
  | { readonly kind: 'numbered'; readonly account: Id; readonly of: Numbered; readonly id: Id }

const ACTOR = /^\/ap\/users\/(\d+)(?:\/(followers|collections\/(\d+)|statuses\/(\d+)(\/activity)?))?$/
const FRAGMENT = /^#([a-z_]+)\/(\d+)$/

/**
 * Reads a URI of this server by its form; what it names need not exist. Undefined for other
 * servers' URIs and unknown forms.
 */
export function parseLocal(uri: string, publicUrl: string): LocalThing | undefined {
  if (!uri.startsWith(`${publicUrl}/`)) return undefined
  const [path = '', fragment] = uri.slice(publicUrl.length).split(/(?=#)/)
  if (path === '/actor' && fragment === undefined) return { kind: 'instance' }
  const [, number = '', rest, collectionNumber = '', statusNumber = '', activity] = ACTOR.exec(path) ?? []
  const account = parseId(number)
  if (account === undefined) return undefined
  if (fragment !== undefined) return rest === undefined ? numbered(account, fragment) : undefined
  if (rest === undefined) return { kind: 'account', account }
  if (rest === 'followers') return { kind: 'followers', account }
  const collection = parseId(collectionNumber)
  if (collection !== undefined) return { kind: 'collection', account, collection }
  const status = parseId(statusNumber)
  return status === undefined ? undefined : { kind: activity === undefined ? 'status' : 'activity', account, status }
}

function numbered(account: Id, fragment: string): LocalThing | undefined {
  const [, name, number = ''] = FRAGMENT.exec(fragment) ?? []
  const of = NUMBERED.find(kind => kind === name)
  const id = parseId(number)
  return of === undefined || id === undefined ? undefined : { kind: 'numbered', account, of, id }
}
