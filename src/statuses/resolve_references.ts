import { foreignDomain, renderAccounts } from '../accounts/index.ts'
import { collectionIdIn } from '../accounts/collections/index.ts'
import { c, query, type Row } from '../platform/database/index.ts'
import { ApiError, validationError } from '../core/errors.ts'
import { type Id, parseId } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { firstLink } from './preview_cards/index.ts'
import type { Services } from '../platform/services.ts'
import {
  displayTag,
  formatStatus,
  type MentionedAccount,
  normaliseTag,
  recognise,
  rewriteMentions,
  tagUrl,
} from '../core/text/index.ts'
import { profileUrl } from './urls.ts'
import { type Draft, parentMissing, refuse } from './draft.ts'
import { mentionableLocals } from './mentionable.ts'
import { lookUpMentions } from './look_up_mentions.ts'

export interface MentionedRow {
  readonly id: Id
  readonly username: string
  readonly domain: string | null
  readonly url: string | null
}

interface TagRow {
  readonly id: Id
  readonly name: string
  readonly usable: boolean
}

export interface MediaRow {
  readonly id: Id
  readonly type: string
  readonly processing: string
}

const findReferences = query(
  'statuses/compose',
  {
    author: c.id,
    usernames: c.texts,
    domains: c.texts,
    tags: c.texts,
    media: c.ids,
    status: c.nullable(c.id),
    scheduled: c.nullable(c.id),
  },
  {
    mentioned: c.nullable(c.json<MentionedRow[]>()),
    tags: c.nullable(c.json<TagRow[]>()),
    media: c.nullable(c.json<MediaRow[]>()),
  },
  { pipelined: true },
)

const findParent = query(
  'statuses/parent',
  { author: c.id, status: c.id },
  { id: c.id, account_id: c.id, in_reply_to_account_id: c.nullable(c.id), conversation_id: c.nullable(c.id) },
  { pipelined: true },
)

const addTags = query('statuses/add_tags', { names: c.texts, display_names: c.texts }, { id: c.id, name: c.text })

/** A text after resolving its mentions and links. */
export interface ResolvedText {
  /** Mentions have the spelling of their accounts. */
  readonly text: string
  readonly content: string
  readonly mentioned: readonly Id[]
  readonly mentions: readonly MentionedRow[]
  readonly tagIds: readonly Id[]
  readonly tagNames: readonly string[]
  /** Collections of this server that the text links to; they need not exist. */
  readonly collectionIds: readonly Id[]
  readonly mediaIds: readonly Id[]
  /** The attachments, in no order. */
  readonly media: readonly MediaRow[]
  readonly parent: Row<typeof findParent.columns> | undefined
  /** Whether the text has a link that may get a preview card. */
  readonly hasLink: boolean
}

/** The parts of a draft that may refer to other objects. */
export interface References extends Pick<Draft, 'text' | 'parentId' | 'mediaIds'> {
  readonly allowedMentions?: readonly Id[] | undefined
  /** The status that is edited. */
  readonly statusId?: Id
  /** The scheduled status that is published. */
  readonly scheduledId?: Id | null
  /** The page of the quoted status, which the content names unless the text does. */
  readonly quoteUrl?: string | null
}

/**
 * Resolves the references of a status. One that replies to nothing, and has no hashtags,
 * attachments and accounts of other servers, nearly always needs no query.
 * @throws ApiError with the messages that clients expect
 */
export async function resolveReferences(services: Services, viewer: Viewer, draft: References): Promise<ResolvedText> {
  const named = namesIn(draft.text, services)
  const mediaIds = draft.mediaIds.flatMap(id => parseId(id) ?? [])
  const names = [...named.mentions.values()]
  const locals = names.filter(({ domain }) => domain === null)
  const remotes = names.filter(({ domain }) => domain !== null)
  const { database } = services
  const findReferred = () =>
    database.one(findReferences, {
      author: viewer.id,
      usernames: remotes.map(({ username }) => username),
      domains: remotes.map(({ domain }) => domain ?? ''),
      tags: [...named.tags.keys()],
      media: mediaIds,
      status: draft.statusId ?? null,
      scheduled: draft.scheduledId ?? null,
    })
  const [local, referred, parent] = await Promise.all([
    locals.length > 0
      ? mentionableLocals(
          services,
          viewer.id,
          locals.map(({ username }) => username),
        )
      : [],
    remotes.length > 0 || named.tags.size > 0 || mediaIds.length > 0 ? findReferred() : undefined,
    draft.parentId === null ? undefined : database.one(findParent, { author: viewer.id, status: draft.parentId }),
  ])
  if (draft.parentId !== null && !parent) throw parentMissing()
  checkMedia(draft.mediaIds, referred?.media ?? [])
  const known = new Set(referred?.mentioned?.map(({ username, domain }) => nameKey(username, domain)))
  const unknown = remotes.filter(({ username, domain }) => !known.has(nameKey(username, domain)))
  const found = (await lookUpMentions(services, unknown)) ? await findReferred() : referred
  const mentioned = inOrderOfText([...local, ...(found?.mentioned ?? [])], named.mentions)
  await checkAllowed(services, viewer, mentioned, draft.allowedMentions)
  const tags = await findOrCreateTags(services, named.tags, found?.tags ?? [])
  return {
    ...format(services, draft.text, mentioned, draft.quoteUrl ?? null),
    mentioned: mentioned.map(({ id }) => id),
    mentions: mentioned,
    tagIds: tags.map(({ id }) => id),
    tagNames: tags.map(({ name }) => name),
    collectionIds: [...named.collections],
    mediaIds,
    media: found?.media ?? [],
    parent,
    hasLink: firstLink(draft.text, services.config) !== undefined,
  }
}

const nameKey = (username: string, domain: string | null): string => `${username}@${domain ?? ''}`.toLowerCase()

function namesIn(text: string, services: Services) {
  const mentions = new Map<string, { username: string; domain: string | null }>()
  const tags = new Map<string, string>()
  const collections = new Set<Id>()
  for (const entity of recognise(text)) {
    if (entity.kind === 'mention') {
      const domain = foreignDomain(services, entity.domain)
      mentions.set(nameKey(entity.username, domain), { username: entity.username, domain })
    } else if (entity.kind === 'hashtag') {
      const name = normaliseTag(entity.name)
      if (name !== '' && !tags.has(name)) tags.set(name, displayTag(entity.name))
    } else {
      const collection = collectionIdIn(entity.url, services.config.publicUrl)
      if (collection !== undefined) collections.add(collection)
    }
  }
  return { mentions, tags, collections }
}

function inOrderOfText(rows: readonly MentionedRow[], named: ReadonlyMap<string, unknown>): MentionedRow[] {
  const byName = new Map(rows.map(row => [nameKey(row.username, row.domain), row]))
  return [...named.keys()].flatMap(name => byName.get(name) ?? [])
}

function format(
  services: Services,
  text: string,
  mentioned: readonly MentionedRow[],
  quoteUrl: string | null,
): { text: string; content: string } {
  const { publicUrl } = services.config
  const accounts = new Map<string, MentionedAccount>(
    mentioned.map(row => [
      nameKey(row.username, row.domain),
      { username: row.username, domain: row.domain, url: profileUrl(row, publicUrl) },
    ]),
  )
  const resolve = (username: string, domain: string | null): MentionedAccount | undefined =>
    accounts.get(nameKey(username, foreignDomain(services, domain)))
  const canonical = mentioned.length > 0 ? rewriteMentions(text, resolve) : text
  return {
    text: canonical,
    content: formatStatus(canonical, { mentions: resolve, tagUrl: name => tagUrl(name, publicUrl), quoteUrl }),
  }
}

/**
 * Checks that these files can be attached together; `found` are the author's unattached ones.
 * @throws ApiError
 */
function checkMedia(requested: readonly string[], found: readonly MediaRow[]): void {
  const missing = requested.filter(id => !found.some(row => row.id === id))
  if (missing.length > 0) throw mediaMissing(missing)
  if (found.length > 1 && found.some(({ type }) => type === 'video' || type === 'audio'))
    throw refuse('Cannot attach a video to a post that already contains images')
  if (found.some(({ processing }) => processing !== 'done'))
    throw refuse('Cannot attach files that have not finished processing. Try again in a moment!')
}

export const mediaMissing = (ids: readonly string[]): ApiError =>
  refuse(`Media ${ids.join(', ')} not found or already attached to another post`)

async function checkAllowed(
  services: Services,
  viewer: Viewer,
  mentioned: readonly MentionedRow[],
  allowed: readonly Id[] | undefined,
): Promise<void> {
  const unexpected = allowed ? mentioned.filter(({ id }) => !allowed.includes(id)) : []
  if (unexpected.length === 0) return
  const ids = unexpected.map(({ id }) => id)
  const rendered = await renderAccounts(services, viewer, ids)
  throw new ApiError('validation', {
    message: 'Post would be sent to unexpected accounts',
    body: { unexpected_accounts: ids.map((id): unknown => JSON.parse(rendered.get(id)?.text ?? 'null')) },
  })
}

/** The rows of all hashtags in a text; new ones are created. */
async function findOrCreateTags(
  services: Services,
  named: ReadonlyMap<string, string>,
  known: readonly TagRow[],
): Promise<{ id: Id; name: string }[]> {
  const refused = known.filter(({ usable }) => !usable).map(({ name }) => name)
  if (refused.length === 1) throw validationError(`Text contained a disallowed hashtag: ${refused[0]}`)
  if (refused.length > 1) throw validationError(`Text contained the disallowed hashtags: ${refused.join(', ')}`)
  const fresh = [...named.keys()].filter(name => !known.some(tag => tag.name === name))
  if (fresh.length === 0) return [...known]
  const displayNames = fresh.map(name => named.get(name) ?? name)
  return [...known, ...(await services.database.run(addTags, { names: fresh, display_names: displayNames }))]
}
