import type { FeatureGroup, FeaturePolicy } from '../../accounts/index.ts'
import {
  hostOf,
  idOf,
  isObject,
  isPublicAudience,
  listOf,
  sameHost,
  textOf,
  typesOf,
  type JsonObject,
} from '../protocol/index.ts'
import { readKeys } from './listed_keys.ts'

const ACTOR_TYPES = ['Person', 'Service', 'Application', 'Group', 'Organization'] as const
type ActorType = (typeof ACTOR_TYPES)[number]

/** The part of a remote actor that this server uses, within the contract's limits. */
export interface RemoteActor {
  readonly uri: string
  /** As written by its server. */
  readonly username: string
  /** The domain of its handle: lower case, ASCII, with the port if it has one. */
  readonly domain: string
  readonly type: ActorType
  readonly name: string
  /** HTML as sent, not sanitized. */
  readonly summary: string
  readonly url: string
  readonly inbox: string
  /** This and the following are empty when the document has none. */
  readonly sharedInbox: string
  readonly outbox: string
  readonly followers: string
  readonly featured: string
  readonly featuredTags: string
  readonly publicKeyPem: string
  readonly keyId: string
  readonly locked: boolean
  readonly discoverable: boolean | null
  readonly indexable: boolean
  readonly memorial: boolean
  readonly suspended: boolean
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly avatarUrl: string | undefined
  readonly headerUrl: string | undefined
  readonly alsoKnownAs: readonly string[]
  readonly movedTo: string | undefined
  readonly attributionDomains: readonly string[]
  /** Null when the document does not say. */
  readonly featuring: FeaturePolicy | null
  readonly published: Date | undefined
  readonly document: JsonObject
}

const LIMITS = { fields: 50, field: 2047, name: 2048, summary: 20_000, aliases: 256, domains: 256 }
const USERNAME = /^[a-z0-9_]+([a-z0-9_.-]+[a-z0-9_]+)?$/i

const flag = (value: unknown): boolean => value === true

/** A URL on the web; empty for anything else. */
const urlIn = (value: unknown): string => {
  const url = idOf(value) ?? ''
  return hostOf(url) === undefined ? '' : url
}

/** The first of the links in `url` that is a page. */
function pageIn(document: JsonObject, uri: string): string {
  for (const link of listOf(document['url'])) {
    const href = isObject(link) ? textOf(link['href']) : textOf(link)
    if (href !== undefined && sameHost(href, uri)) return href
  }
  return uri
}

function pictureIn(value: unknown): string | undefined {
  const [image] = listOf(value)
  const url = isObject(image) ? image['url'] : image
  const [first] = listOf(url)
  const href = isObject(first) ? textOf(first['href']) : textOf(first)
  return href === undefined || hostOf(href) === undefined ? undefined : href
}

const fieldsIn = (value: unknown): RemoteActor['fields'] =>
  listOf(value)
    .flatMap(one => {
      if (!isObject(one) || one['type'] !== 'PropertyValue') return []
      const name = (textOf(one['name']) ?? '').slice(0, LIMITS.field)
      return name === '' ? [] : { name, value: (textOf(one['value']) ?? '').slice(0, LIMITS.field) }
    })
    .slice(0, LIMITS.fields)

const textsIn = (value: unknown, maximum: number): string[] =>
  listOf(value)
    .flatMap(one => idOf(one) ?? [])
    .slice(0, maximum)

function dateIn(value: unknown): Date | undefined {
  const date = new Date(textOf(value) ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The groups that approvals name; the actor itself stands for nobody else. */
function groupsIn(approvals: unknown, document: JsonObject): FeatureGroup[] {
  const group = (uri: string | undefined): FeatureGroup => {
    if (uri === undefined) return 'unsupported_policy'
    if (isPublicAudience(uri)) return 'public'
    if (uri === idOf(document['followers'])) return 'followers'
    if (uri === idOf(document['following'])) return 'following'
    return uri === document['id'] ? 'disabled' : 'unsupported_policy'
  }
  return [...new Set(listOf(approvals).map(one => group(idOf(one))))]
}

/** Who may put the actor into a collection (FEP-7aa9). */
function featuringIn(document: JsonObject): FeaturePolicy | null {
  const policy = document['interactionPolicy']
  const canFeature = isObject(policy) ? policy['canFeature'] : undefined
  if (!isObject(canFeature)) return null
  return {
    automatic: groupsIn(canFeature['automaticApproval'], document),
    manual: groupsIn(canFeature['manualApproval'], document),
  }
}

/**
 * The handle of an actor: `webfinger` (FEP-2c59), else its name at the host of its id. It is a
 * claim until WebFinger confirms it.
 */
function handleOf(document: JsonObject, uri: string): { username: string; domain: string } | undefined {
  const [, named, at] = /^@?(?:acct:)?([^@]+)@([^@/\s]+)$/.exec(textOf(document['webfinger']) ?? '') ?? []
  const username = named ?? textOf(document['preferredUsername']) ?? ''
  const domain = at === undefined ? hostOf(uri) : hostOf(`https://${at}`)
  return USERNAME.test(username) && domain !== undefined ? { username, domain } : undefined
}

/** Reads an actor document; undefined if it is another document or lacks required members. */
export function readActor(document: JsonObject): RemoteActor | undefined {
  const types = typesOf(document)
  const type = ACTOR_TYPES.find(one => types.includes(one))
  const uri = textOf(document['id'])
  const inbox = urlIn(document['inbox'])
  if (type === undefined || uri === undefined || inbox === '') return undefined
  const handle = handleOf(document, uri)
  if (handle === undefined) return undefined
  const key = readKeys(document).find(({ ended }) => ended === undefined)
  const endpoints = document['endpoints']
  const sharedInbox = isObject(endpoints) ? urlIn(endpoints['sharedInbox']) : ''
  return {
    uri,
    ...handle,
    type,
    name: (textOf(document['name']) ?? '').slice(0, LIMITS.name),
    summary: (textOf(document['summary']) ?? '').slice(0, LIMITS.summary),
    url: pageIn(document, uri),
    inbox,
    sharedInbox: sameHost(sharedInbox, inbox) ? sharedInbox : '',
    outbox: urlIn(document['outbox']),
    followers: urlIn(document['followers']),
    featured: urlIn(document['featured']),
    featuredTags: urlIn(document['featuredTags']),
    publicKeyPem: key?.pem ?? '',
    keyId: key?.id ?? '',
    locked: flag(document['manuallyApprovesFollowers']),
    discoverable: typeof document['discoverable'] === 'boolean' ? document['discoverable'] : null,
    indexable: flag(document['indexable']),
    memorial: flag(document['memorial']),
    suspended: flag(document['suspended']),
    fields: fieldsIn(document['attachment']),
    avatarUrl: pictureIn(document['icon']),
    headerUrl: pictureIn(document['image']),
    alsoKnownAs: textsIn(document['alsoKnownAs'], LIMITS.aliases),
    movedTo: idOf(document['movedTo']),
    attributionDomains: textsIn(document['attributionDomains'], LIMITS.domains),
    featuring: featuringIn(document),
    published: dateIn(document['published']),
    document,
  }
}
