import type { StoredField, StoredImage } from '../../accounts/index.ts'
import { INSTANCE_USERNAME } from '../../core/acct.ts'
import type { Id } from '../../core/id.ts'
import { displayTag, normaliseTag, recognise, tagUrl } from '../../core/text/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { localKeys } from '../keys/index.ts'
import { actorUri, followersUri, instanceActorUri, keyUri, PUBLIC, sharedInboxUri } from '../protocol/index.ts'
import { emojiTags, type FederatedEmoji, type ServerUrls } from './emojis.ts'

const find = query(
  'federation/documents/actor',
  { account: c.id },
  {
    id: c.id,
    username: c.text,
    display_name: c.text,
    note: c.text,
    note_html: c.text,
    fields: c.json<StoredField[]>(),
    avatar: c.nullable(c.json<StoredImage>()),
    avatar_description: c.text,
    header: c.nullable(c.json<StoredImage>()),
    header_description: c.text,
    actor_type: c.text,
    locked: c.boolean,
    discoverable: c.boolean,
    indexable: c.boolean,
    memorial: c.boolean,
    show_media: c.boolean,
    show_media_replies: c.boolean,
    show_featured: c.boolean,
    hide_collections: c.boolean,
    attribution_domains: c.texts,
    created_at: c.timestamp,
    state: c.text,
    moved_to: c.nullable(c.text),
    aliases: c.texts,
    emojis: c.nullable(c.json<readonly FederatedEmoji[]>()),
  },
)

export type ActorRow = Row<typeof find.columns>

/** Finds a local account; undefined unless it exists, is confirmed and approved. */
export const findActor = ({ database }: Services, account: Id): Promise<ActorRow | undefined> =>
  database.one(find, { account })

export const serverUrls = ({ config, storage }: Services): ServerUrls => ({
  publicUrl: config.publicUrl,
  localDomain: config.localDomain,
  fileUrl: key => storage.url(key),
})

/** The id of a local account, or the URI of a remote one. */
const accountUri = (stored: string, publicUrl: string): string =>
  /^\d+$/.test(stored) ? actorUri(publicUrl, stored) : stored

function imageObject(image: StoredImage | null, summary: string, { fileUrl }: ServerUrls): object | undefined {
  if (image === null) return undefined
  return { type: 'Image', mediaType: image.type, url: fileUrl(image.key), ...(summary !== '' && { summary }) }
}

function hashtagTags(note: string, publicUrl: string): object[] {
  const names = new Map<string, string>()
  for (const entity of recognise(note)) {
    if (entity.kind !== 'hashtag') continue
    const identity = normaliseTag(entity.name)
    if (!names.has(identity)) names.set(identity, displayTag(entity.name))
  }
  return [...names].map(([identity, name]) => ({
    type: 'Hashtag',
    href: tagUrl(identity, publicUrl),
    name: `#${name}`,
  }))
}

/** The accounts whose collections may feature the account without its approval (FEP-7aa9). */
function featurePolicy(row: ActorRow, id: string, followers: string): object {
  const automaticApproval = row.discoverable ? (row.locked ? followers : PUBLIC) : id
  return { canFeature: { automaticApproval: [automaticApproval] } }
}

/** The members of an active account's document. */
function profileMembers(row: ActorRow, urls: ServerUrls): object {
  const { publicUrl } = urls
  const texts = [row.display_name, row.note, ...row.fields.flatMap(({ name, value }) => [name, value])]
  const [icon, image] = [
    imageObject(row.avatar, row.avatar_description, urls),
    imageObject(row.header, row.header_description, urls),
  ]
  return {
    name: row.display_name === '' ? row.username : row.display_name,
    summary: row.note_html,
    manuallyApprovesFollowers: row.locked,
    discoverable: row.discoverable,
    indexable: row.indexable,
    tag: [...emojiTags(row.emojis, texts, urls), ...hashtagTags(row.note, publicUrl)],
    attachment: row.fields.map(({ name, value_html: value }) => ({ type: 'PropertyValue', name, value })),
    ...(icon && { icon }),
    ...(image && { image }),
    ...(row.moved_to !== null && { movedTo: accountUri(row.moved_to, publicUrl) }),
    ...(row.aliases.length > 0 && { alsoKnownAs: row.aliases.map(alias => accountUri(alias, publicUrl)) }),
    ...(row.attribution_domains.length > 0 && { attributionDomains: row.attribution_domains }),
  }
}

/** The members of a suspended account's document. */
const suspendedMembers = (row: ActorRow): object => ({
  name: row.username,
  summary: '',
  manuallyApprovesFollowers: false,
  discoverable: false,
  indexable: false,
  tag: [],
  attachment: [],
  suspended: true,
})

/** The document of a local account, without its context. */
export async function actorObject(services: Services, row: ActorRow): Promise<object> {
  const urls = serverUrls(services)
  const { publicUrl, localDomain } = urls
  const id = actorUri(publicUrl, row.id)
  const followers = followersUri(publicUrl, row.id)
  const { publicKeyPem } = await localKeys(services).get(row.id)
  return {
    id,
    type: row.actor_type,
    webfinger: `${row.username}@${localDomain}`,
    preferredUsername: row.username,
    url: `${publicUrl}/@${row.username}`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    following: `${id}/following`,
    followers,
    featured: `${id}/collections/featured`,
    featuredTags: `${id}/collections/tags`,
    featuredCollections: `${id}/featured_collections`,
    endpoints: { sharedInbox: sharedInboxUri(publicUrl) },
    publicKey: { id: keyUri(id), owner: id, publicKeyPem },
    memorial: row.memorial,
    showFeatured: row.show_featured,
    showMedia: row.show_media,
    showRepliesInMedia: row.show_media_replies,
    published: `${row.created_at.toISOString().slice(0, 10)}T00:00:00Z`,
    interactionPolicy: featurePolicy(row, id, followers),
    ...(row.state === 'active' ? profileMembers(row, urls) : suspendedMembers(row)),
  }
}

/** The document of the instance actor, which signs requests of the server itself. */
export async function instanceActorObject(services: Services): Promise<object> {
  const { publicUrl } = services.config
  const id = instanceActorUri(publicUrl)
  const { publicKeyPem } = await localKeys(services).get(null)
  return {
    id,
    type: 'Application',
    preferredUsername: INSTANCE_USERNAME,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    url: `${publicUrl}/about/more?instance_actor=true`,
    manuallyApprovesFollowers: true,
    endpoints: { sharedInbox: sharedInboxUri(publicUrl) },
    publicKey: { id: keyUri(id), owner: id, publicKeyPem },
  }
}
