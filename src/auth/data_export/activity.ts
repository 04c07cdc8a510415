import path from 'node:path'
import type { Id } from '../../core/id.ts'
import { uriOf, urlOf, type Addressed, type Visibility } from '../../statuses/index.ts'
import { typeOfKey } from '../../platform/storage/index.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

export const CONTEXT = [
  'https://www.w3.org/ns/activitystreams',
  {
    sensitive: 'as:sensitive',
    Hashtag: 'as:Hashtag',
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    toot: 'http://joinmastodon.org/ns#',
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    attributionDomains: 'toot:attributionDomains',
    blurhash: 'toot:blurhash',
    votersCount: 'toot:votersCount',
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    quote: 'https://w3id.org/fep/044f#quote',
  },
] as const

interface Mentioned {
  readonly id: Id
  readonly username: string
  readonly domain: string | null
  readonly uri: string
}

interface Attached {
  readonly id: Id
  readonly key: string
  readonly description: string | null
  readonly blurhash: string | null
}

/** The row of `auth/data_export/statuses`. */
export interface ExportedStatus {
  readonly id: Id
  readonly created_at: Date
  readonly edited_at: Date | null
  readonly content: string
  readonly spoiler_text: string
  readonly visibility: Visibility
  readonly sensitive: boolean
  readonly language: string | null
  readonly in_reply_to_id: Id | null
  readonly reblog_of_id: Id | null
  readonly quoted_status_id: Id | null
  readonly mentions: readonly Mentioned[]
  readonly tags: readonly string[]
  readonly attachments: readonly Attached[]
  readonly poll_options: readonly string[] | null
  readonly poll_tallies: readonly number[] | null
  readonly poll_multiple: boolean | null
  readonly poll_voters: number | null
  readonly poll_expires_at: Date | null
  readonly poll_ended_at: Date | null
}

/** The owner of the archive. */
export interface Owner {
  readonly id: Id
  readonly username: string
  readonly publicUrl: string
}

/** Statuses that exported statuses refer to, by id. */
export type Referred = ReadonlyMap<Id, Addressed>

/** The path of a status's file in the archive. */
export const fileName = (id: Id, key: string): string => `media_attachments/${id}${path.extname(key)}`

export const actorUri = (id: Id, publicUrl: string): string => `${publicUrl}/ap/users/${id}`

const mentionedUri = ({ id, domain, uri }: Mentioned, publicUrl: string): string =>
  domain === null ? actorUri(id, publicUrl) : uri

/** The addressees of a status (`to` and `cc`). */
function addressesOf(status: ExportedStatus, owner: Owner, extra: readonly string[]): { to: string[]; cc: string[] } {
  const followers = `${actorUri(owner.id, owner.publicUrl)}/followers`
  const named = [...status.mentions.map(mentioned => mentionedUri(mentioned, owner.publicUrl)), ...extra]
  if (status.visibility === 'public') return { to: [PUBLIC], cc: [followers, ...named] }
  if (status.visibility === 'unlisted') return { to: [followers], cc: [PUBLIC, ...named] }
  return status.visibility === 'private' ? { to: [followers], cc: named } : { to: named, cc: [] }
}

function tagsOf(status: ExportedStatus, publicUrl: string): object[] {
  const mentions = status.mentions.map(one => ({
    type: 'Mention',
    href: mentionedUri(one, publicUrl),
    name: one.domain === null ? `@${one.username}` : `@${one.username}@${one.domain}`,
  }))
  const tags = status.tags.map(name => ({
    type: 'Hashtag',
    href: `${publicUrl}/tags/${encodeURIComponent(name)}`,
    name: `#${name}`,
  }))
  return [...mentions, ...tags]
}

const attachmentsOf = (status: ExportedStatus): object[] =>
  status.attachments.map(({ id, key, description, blurhash }) => ({
    type: 'Document',
    mediaType: typeOfKey(key),
    url: fileName(id, key),
    name: description,
    blurhash,
  }))

/** The members that turn a note with a poll into a Question. */
function pollOf(status: ExportedStatus): object {
  if (status.poll_options === null) return {}
  const options = status.poll_options.map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: status.poll_tallies?.[index] ?? 0 },
  }))
  return {
    type: 'Question',
    [status.poll_multiple ? 'anyOf' : 'oneOf']: options,
    ...(status.poll_expires_at && { endTime: status.poll_expires_at }),
    ...(status.poll_ended_at && { closed: status.poll_ended_at }),
    votersCount: status.poll_voters ?? 0,
  }
}

const uriIn = (referred: Referred, id: Id | null, publicUrl: string): string | null => {
  const found = id === null ? undefined : referred.get(id)
  return found ? uriOf(found, publicUrl) : null
}

function noteOf(status: ExportedStatus, own: Addressed, owner: Owner, referred: Referred): object {
  const { publicUrl } = owner
  const quote = uriIn(referred, status.quoted_status_id, publicUrl)
  return {
    id: uriOf(own, publicUrl),
    type: 'Note',
    summary: status.spoiler_text === '' ? null : status.spoiler_text,
    inReplyTo: uriIn(referred, status.in_reply_to_id, publicUrl),
    published: status.created_at,
    ...(status.edited_at && { updated: status.edited_at }),
    url: urlOf(own, publicUrl),
    attributedTo: actorUri(owner.id, publicUrl),
    ...addressesOf(status, owner, []),
    sensitive: status.sensitive,
    content: status.content,
    ...(status.language !== null && { contentMap: { [status.language]: status.content } }),
    attachment: attachmentsOf(status),
    tag: tagsOf(status, publicUrl),
    ...pollOf(status),
    ...(quote !== null && { quote }),
  }
}

/** A status or boost as the activity that other servers would receive. */
export function activityOf(status: ExportedStatus, owner: Owner, referred: Referred): object {
  const { publicUrl } = owner
  const own: Addressed = {
    id: status.id,
    account_id: owner.id,
    username: owner.username,
    domain: null,
    uri: null,
    url: null,
    reblog_of_id: status.reblog_of_id,
  }
  const actor = actorUri(owner.id, publicUrl)
  const boosted = status.reblog_of_id === null ? undefined : referred.get(status.reblog_of_id)
  if (boosted) {
    const author = boosted.domain === null ? [actorUri(boosted.account_id, publicUrl)] : []
    const addresses = addressesOf(status, owner, author)
    const object = uriOf(boosted, publicUrl)
    return { id: uriOf(own, publicUrl), type: 'Announce', actor, published: status.created_at, ...addresses, object }
  }
  const note = noteOf(status, own, owner, referred)
  const id = `${uriOf(own, publicUrl)}/activity`
  return {
    id,
    type: 'Create',
    actor,
    published: status.created_at,
    ...addressesOf(status, owner, []),
    object: note,
  }
}
