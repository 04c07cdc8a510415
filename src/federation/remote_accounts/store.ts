import { removePictures, type StoredField } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { withholdFiles } from '../../moderation/index.ts'
import type { Services } from '../../platform/services.ts'
import { readKeys, type RemoteActor } from '../actors/index.ts'
import { isStorableUri, parseLocalUri, sameHost } from '../protocol/index.ts'
import { storeEmojis } from './emojis.ts'
import { sendFollows } from '../send/index.ts'
import { copyPicture } from './pictures.ts'
import { timeToVerify, verifyRemoteLinks } from './verify_links.ts'

const store = query(
  'federation/remote_accounts/store',
  {
    uri: c.text,
    username: c.text,
    domain: c.text,
    actor_type: c.text,
    display_name: c.text,
    note_html: c.text,
    fields: c.json<StoredField[]>(),
    page: c.text,
    inbox: c.text,
    shared_inbox: c.text,
    outbox: c.text,
    followers: c.text,
    featured: c.text,
    public_key: c.text,
    key_id: c.text,
    locked: c.boolean,
    discoverable: c.nullable(c.boolean),
    indexable: c.boolean,
    memorial: c.boolean,
    suspended: c.boolean,
    avatar: c.nullable(c.text),
    header: c.nullable(c.text),
    also_known_as: c.texts,
    attribution_domains: c.texts,
    created: c.timestamp,
    feature_automatic: c.nullable(c.texts),
    feature_manual: c.nullable(c.texts),
    signed: c.boolean,
    following: c.text,
  },
  {
    id: c.id,
    copies: c.texts,
    unused: c.texts,
    resend_follows: c.boolean,
    suspension_changed: c.boolean,
    has_new_links: c.boolean,
    events: c.events,
  },
)

const storeKeys = query(
  'federation/remote_accounts/store_keys',
  {
    owner: c.text,
    handle: c.text,
    key_ids: c.texts,
    public_keys: c.texts,
    signed: c.boolean,
    updated: c.nullable(c.timestamp),
  },
  { events: c.events },
)

const findReplaced = query(
  'federation/remote_accounts/with_replaced_key',
  { uri: c.text, public_keys: c.texts, updated: c.nullable(c.timestamp) },
  { id: c.id },
)

const invalidateHandle = query(
  'federation/remote_accounts/invalidate_handle',
  { uri: c.text, username: c.text, domain: c.text },
  { id: c.id, events: c.events },
)

const enqueueFetches = query(
  'federation/remote_accounts/enqueue_fetches',
  { account: c.id, featured: c.text, tags: c.text, items: c.nullable(c.texts) },
  { featured_job: c.id, counts_job: c.id },
)

const redirect = query(
  'federation/remote_accounts/redirect',
  { account: c.id, target: c.nullable(c.text), local_target: c.nullable(c.id) },
  { job: c.nullable(c.id), events: c.events },
)

/** Repeated when a simultaneous transaction inserts the account between look-up and insertion. */
const ATTEMPTS = 3

/** The sanitiser takes 2 MB of memory, so it is loaded at the first remote account. */
async function parametersOf(actor: RemoteActor, signed: boolean): Promise<Row<typeof store.parameters>> {
  const { sanitiseRemote } = await import('../../core/text/sanitise.ts')
  return {
    uri: actor.uri,
    username: actor.username,
    domain: actor.domain,
    actor_type: actor.type,
    display_name: actor.name,
    note_html: sanitiseRemote(actor.summary),
    fields: actor.fields.map(({ name, value }) => ({
      // Truncation may have split a surrogate pair.
      name: name.toWellFormed(),
      value: value.toWellFormed(),
      value_html: sanitiseRemote(value),
      verified_at: null,
    })),
    page: actor.url,
    inbox: actor.inbox,
    shared_inbox: actor.sharedInbox,
    outbox: actor.outbox,
    followers: actor.followers,
    featured: actor.featured,
    public_key: actor.publicKeyPem,
    key_id: actor.keyId,
    locked: actor.locked,
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    memorial: actor.memorial,
    suspended: actor.suspended,
    avatar: actor.avatarUrl ?? null,
    header: actor.headerUrl ?? null,
    also_known_as: [...actor.alsoKnownAs],
    attribution_domains: [...actor.attributionDomains],
    created: actor.published ?? new Date(),
    feature_automatic: actor.featurePolicy && [...actor.featurePolicy.automatic],
    feature_manual: actor.featurePolicy && [...actor.featurePolicy.manual],
    signed,
    following: actor.following,
  }
}

/** The account that an actor has moved to, by its URI and, if it is local, by its id. */
function targetOf({ movedTo }: RemoteActor, publicUrl: string): { target: string | null; local_target: Id | null } {
  if (movedTo === undefined || !isStorableUri(movedTo)) return { target: null, local_target: null }
  const local = parseLocalUri(movedTo, publicUrl)
  return { target: movedTo, local_target: local?.kind === 'account' ? local.account : null }
}

/** Replaces the stored keys of an actor: the document may be the last that is served. */
async function replaceKeys(transaction: Runner, actor: RemoteActor, signed: boolean): Promise<void> {
  const { uri, username, domain, document, updated = null } = actor
  const keys = readKeys(document).filter(({ id, endedBy }) => endedBy === undefined && sameHost(id, uri))
  await transaction.run(storeKeys, {
    owner: uri,
    handle: `${username}@${domain}`,
    key_ids: keys.map(({ id }) => id),
    public_keys: keys.map(({ pem }) => pem),
    signed,
    updated,
  })
}

/**
 * Stores or updates the account of a verified actor document: its id equals its URL, and WebFinger
 * has confirmed its handle. Its pictures are copied in the background. A fetched document that is
 * older than an Update, because it lists a key that the Update has replaced, changes nothing.
 * @param signed whether the actor itself sent the document
 * @param redirections whether the account that it has moved to is resolved, by a job
 */
export async function storeActor(
  { database, config }: Services,
  actor: RemoteActor,
  { signed = false, redirections = true }: { signed?: boolean; redirections?: boolean } = {},
): Promise<Id> {
  if (!signed) {
    const { uri, document, updated = null } = actor
    const public_keys = readKeys(document).map(({ pem }) => pem)
    const newer = await database.one(findReplaced, { uri, public_keys, updated })
    if (newer) return newer.id
  }
  const parameters = await parametersOf(actor, signed)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const id = await database.transaction(async transaction => {
      await storeEmojis(transaction, actor.domain, actor.document['tag'])
      const { uri, username, domain } = actor
      await transaction.run(invalidateHandle, { uri, username, domain })
      const stored = await transaction.one(store, parameters)
      if (!stored) return undefined
      await replaceKeys(transaction, actor, signed)
      const { featured, featuredTags: tags, featuredItems: items } = actor
      await transaction.run(enqueueFetches, { account: stored.id, featured, tags, items })
      if (redirections || actor.movedTo === undefined)
        await transaction.run(redirect, { account: stored.id, ...targetOf(actor, config.publicUrl) })
      if (stored.resend_follows) await enqueue(transaction, sendFollows, { account: stored.id })
      if (stored.suspension_changed) await enqueue(transaction, withholdFiles, { account: stored.id })
      if (stored.has_new_links) {
        const key = `federation.verify_links:${stored.id}`
        await enqueue(transaction, verifyRemoteLinks, { account: stored.id }, { at: timeToVerify(), key })
      }
      for (const kind of stored.copies) await enqueue(transaction, copyPicture, { account: stored.id, kind })
      if (stored.unused.length > 0) await enqueue(transaction, removePictures, { keys: [...new Set(stored.unused)] })
      return stored.id
    })
    if (id !== undefined) return id
  }
  throw new Error('a remote account was not stored')
}
