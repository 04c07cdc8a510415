import type { FeatureGroup, FeaturePolicy } from '../../accounts/index.ts'
import {
  hostOf,
  idOf,
  isObject,
  isPublicAudience,
  isStorableUri,
  listOf,
  parseTime,
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
  /** With the case that its server uses. */
  readonly username: string
  /** The domain of the handle: lower case, ASCII, with the port if it has one. */
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
  readonly following: string
  readonly featured: string
  /** The first items of a collection `featured` that is embedded and has no id; else null. */
  readonly featuredItems: string[] | null
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
  /** Null when the document has no such policy. */
  readonly featurePolicy: FeaturePolicy | null
  readonly published: Date | undefined
  readonly updated: Date | undefined
  readonly document: JsonObject
}

/** `name` in bytes, since longer ones do not fit into an index; the others in UTF-16 units. */
const LIMITS = { fields: 50, field: 2047, name: 2048, summary: 20_000, aliases: 256, domains: 256, pins: 20 }
/** Each character can match in one place only, so that long names are tested in linear time. */
const USERNAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i

/** The beginning of a text that has at most this many bytes in UTF-8. */
const cutBytes = (text: string, maximum: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, maximum), { stream: true })

const isTrue = (value: unknown): boolean => value === true

/** The http or https URL in a member, if it is short enough; an empty string for anything else. */
const urlIn = (value: unknown): string => {
  const url = idOf(value) ?? ''
  return hostOf(url) === undefined || !isStorableUri(url) ? '' : url
}

/** As Bridgy Fed embeds the pinned post. */
function embeddedItems(collection: unknown): string[] | null {
  if (!isObject(collection) || urlIn(collection) !== '') return null
  return idsIn(collection['orderedItems'] ?? collection['items'], LIMITS.pins)
}

/** The first link in `url` that is on the actor's host; else the actor's URI. */
function pageUrl(document: JsonObject, uri: string): string {
  for (const link of listOf(document['url'])) {
    const href = isObject(link) ? textOf(link['href']) : textOf(link)
    if (href !== undefined && isStorableUri(href) && sameHost(href, uri)) return href
  }
  return uri
}

function imageUrl(value: unknown): string | undefined {
  const [image] = listOf(value)
  const url = isObject(image) ? image['url'] : image
  const [first] = listOf(url)
  const href = isObject(first) ? textOf(first['href']) : textOf(first)
  return href === undefined || hostOf(href) === undefined || !isStorableUri(href) ? undefined : href
}

const fieldsIn = (value: unknown): RemoteActor['fields'] =>
  listOf(value)
    .flatMap(value => {
      if (!isObject(value) || value['type'] !== 'PropertyValue') return []
      const name = (textOf(value['name']) ?? '').slice(0, LIMITS.field)
      return name === '' ? [] : { name, value: (textOf(value['value']) ?? '').slice(0, LIMITS.field) }
    })
    .slice(0, LIMITS.fields)

const idsIn = (value: unknown, maximum: number): string[] =>
  listOf(value)
    .flatMap(value => idOf(value) ?? [])
    .filter(isStorableUri)
    .slice(0, maximum)

/**
 * The groups that a list of approvals names; the actor's own URI alone means that nobody else is
 * approved.
 */
function groupsIn(approvals: unknown, document: JsonObject): FeatureGroup[] {
  const group = (uri: string | undefined): FeatureGroup => {
    if (uri === undefined) return 'unsupported_policy'
    if (isPublicAudience(uri)) return 'public'
    if (uri === idOf(document['followers'])) return 'followers'
    if (uri === idOf(document['following'])) return 'following'
    return uri === document['id'] ? 'disabled' : 'unsupported_policy'
  }
  const groups = [...new Set(listOf(approvals).map(value => group(idOf(value))))]
  return groups.length > 1 ? groups.filter(one => one !== 'disabled') : groups
}

/** The policy for adding the actor to collections (FEP-7aa9). */
function featurePolicyIn(document: JsonObject): FeaturePolicy | null {
  const policy = document['interactionPolicy']
  const canFeature = isObject(policy) ? policy['canFeature'] : undefined
  if (!isObject(canFeature)) return null
  return {
    automatic: groupsIn(canFeature['automaticApproval'], document),
    manual: groupsIn(canFeature['manualApproval'], document),
  }
}

/**
 * The handle that an actor document claims: `webfinger` (FEP-2c59), else the username at the host
 * of the id. WebFinger has yet to confirm it.
 */
function handleOf(document: JsonObject, uri: string): { username: string; domain: string } | undefined {
  const [, named, at] = /^@?(?:acct:)?([^@]+)@([^@/\s]+)$/.exec(textOf(document['webfinger']) ?? '') ?? []
  const username = named ?? textOf(document['preferredUsername']) ?? ''
  const domain = at === undefined ? hostOf(uri) : hostOf(`https://${at}`)
  return USERNAME.test(username) && domain !== undefined ? { username, domain } : undefined
}

/** Parses an actor document; undefined if it is another document or lacks required members. */
export function readActor(document: JsonObject): RemoteActor | undefined {
  const types = typesOf(document)
  const type = ACTOR_TYPES.find(value => types.includes(value))
  const uri = textOf(document['id'])
  const inbox = urlIn(document['inbox'])
  if (type === undefined || uri === undefined || inbox === '') return undefined
  const handle = handleOf(document, uri)
  if (handle === undefined) return undefined
  const key = readKeys(document).find(({ endedBy }) => endedBy === undefined)
  const endpoints = document['endpoints']
  const sharedInbox = isObject(endpoints) ? urlIn(endpoints['sharedInbox']) : ''
  return {
    uri,
    ...handle,
    type,
    name: cutBytes(textOf(document['name']) ?? '', LIMITS.name),
    summary: (textOf(document['summary']) ?? '').slice(0, LIMITS.summary),
    url: pageUrl(document, uri),
    inbox,
    sharedInbox: sameHost(sharedInbox, inbox) ? sharedInbox : '',
    outbox: urlIn(document['outbox']),
    followers: urlIn(document['followers']),
    following: urlIn(document['following']),
    featured: urlIn(document['featured']),
    featuredItems: embeddedItems(document['featured']),
    featuredTags: urlIn(document['featuredTags']),
    publicKeyPem: key?.pem ?? '',
    keyId: key?.id ?? '',
    locked: isTrue(document['manuallyApprovesFollowers']),
    discoverable: typeof document['discoverable'] === 'boolean' ? document['discoverable'] : null,
    indexable: isTrue(document['indexable']),
    memorial: isTrue(document['memorial']),
    suspended: isTrue(document['suspended']),
    fields: fieldsIn(document['attachment']),
    avatarUrl: imageUrl(document['icon']),
    headerUrl: imageUrl(document['image']),
    alsoKnownAs: idsIn(document['alsoKnownAs'], LIMITS.aliases),
    movedTo: idOf(document['movedTo']),
    attributionDomains: idsIn(document['attributionDomains'], LIMITS.domains),
    featurePolicy: featurePolicyIn(document),
    published: parseTime(document['published']),
    updated: parseTime(document['updated']),
    document,
  }
}
