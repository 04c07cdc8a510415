import { parseId, type Id } from '../../core/id.ts'

/*
 * The identifiers of this server's objects for other servers. They are computed from ids, which
 * never change, so none is stored.
 */

/** The Public collection: as a member of `to` or `cc` it addresses everybody. */
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

/** Longer values do not fit into an index. */
const MAX_URI_BYTES = 2048

/** Whether a URI of another server is short enough to be looked up and stored. */
export const isStorableUri = (uri: string): boolean => Buffer.byteLength(uri) <= MAX_URI_BYTES

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

/** The URI of a collection of accounts that a local account curates (FEP-7aa9). */
export const collectionUri = (publicUrl: string, account: Id, collection: Id): string =>
  `${actorUri(publicUrl, account)}/collections/${collection}`

/** The URI of a conversation that a local status has begun. */
export const contextUri = (publicUrl: string, account: Id, status: Id): string =>
  `${publicUrl}/contexts/${account}-${status}`

/** The URI of an activity that no stored object identifies; nothing refers to it later. */
export const payloadUri = (publicUrl: string, uuid: string): string => `${publicUrl}/payloads/${uuid}`

/** Objects whose URI is the actor's with a fragment, such as `#follows/12`. */
export const FRAGMENT_KINDS = [
  'follows',
  'likes',
  'blocks',
  'votes',
  'quote_requests',
  'feature_requests',
  'moves',
] as const
export type FragmentKind = (typeof FRAGMENT_KINDS)[number]

export const fragmentUri = (publicUrl: string, account: Id, kind: FragmentKind, id: Id): string =>
  `${actorUri(publicUrl, account)}#${kind}/${id}`

/**
 * The object that a URI of this server names. `activity` is the creation of a status, or a boost.
 */
export type LocalObject =
  | { readonly kind: 'instance' }
  | { readonly kind: 'account' | 'followers'; readonly account: Id }
  | { readonly kind: 'status' | 'activity'; readonly account: Id; readonly status: Id }
  | { readonly kind: 'collection'; readonly account: Id; readonly collection: Id }
  | { readonly kind: 'fragment'; readonly account: Id; readonly fragment: FragmentKind; readonly id: Id }

const ACTOR = /^\/ap\/users\/(\d+)(?:\/(followers|collections\/(\d+)|statuses\/(\d+)(\/activity)?))?$/
const FRAGMENT = /^#([a-z_]+)\/(\d+)$/

/**
 * Parses a URI of this server; the object that it names need not exist. Undefined for other
 * servers' URIs and unknown forms.
 */
export function parseLocalUri(uri: string, publicUrl: string): LocalObject | undefined {
  if (!uri.startsWith(`${publicUrl}/`)) return undefined
  const [path = '', fragment] = uri.slice(publicUrl.length).split(/(?=#)/)
  if (path === '/actor' && fragment === undefined) return { kind: 'instance' }
  const [, accountNumber = '', rest, collectionNumber = '', statusNumber = '', activity] = ACTOR.exec(path) ?? []
  const account = parseId(accountNumber)
  if (account === undefined) return undefined
  if (fragment !== undefined) return rest === undefined ? parseFragment(account, fragment) : undefined
  if (rest === undefined) return { kind: 'account', account }
  if (rest === 'followers') return { kind: 'followers', account }
  const collection = parseId(collectionNumber)
  if (collection !== undefined) return { kind: 'collection', account, collection }
  const status = parseId(statusNumber)
  return status === undefined ? undefined : { kind: activity === undefined ? 'status' : 'activity', account, status }
}

/** A page of a local profile, or of a status, whose id is not checked against the username. */
export interface LocalPage {
  /** In lower case. */
  readonly username: string
  readonly status: Id | undefined
}

const PAGE = /^\/@(\w+)(?:\/(\d+))?$/

/**
 * Parses the address of a page of this server, by which some servers refer to accounts and
 * statuses; undefined for other pages.
 */
export function parseLocalPage(uri: string, publicUrl: string): LocalPage | undefined {
  if (!uri.startsWith(`${publicUrl}/@`)) return undefined
  const [, username, number] = PAGE.exec(uri.slice(publicUrl.length)) ?? []
  if (username === undefined) return undefined
  const status = number === undefined ? undefined : parseId(number)
  return number === undefined || status !== undefined ? { username: username.toLowerCase(), status } : undefined
}

function parseFragment(account: Id, text: string): LocalObject | undefined {
  const [, name, number = ''] = FRAGMENT.exec(text) ?? []
  const fragment = FRAGMENT_KINDS.find(kind => kind === name)
  const id = parseId(number)
  return fragment === undefined || id === undefined ? undefined : { kind: 'fragment', account, fragment, id }
}
