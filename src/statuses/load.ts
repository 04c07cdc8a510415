import { acctOf } from '../core/acct.ts'
import { type EmojiRow, toEmojis } from '../media/custom_emojis/index.ts'
import { c, query, type Row, type Runner } from '../platform/database/index.ts'
import { compareIds, type Id } from '../core/id.ts'
import { intern } from '../core/interner.ts'
import { type PollRow, toPollFragment } from './polls/index.ts'
import { eventCache, type EventCache } from '../platform/cache/event_cache.ts'
import { perServer, type Services } from '../platform/services.ts'
import { htmlToText, tagUrl } from '../core/text/index.ts'
import { profileUrl, uriOf, urlOf } from './urls.ts'
import { type AttachmentRow, toAttachment } from '../media/attachments/index.ts'
import type { MentionedRow } from './resolve_references.ts'
import { approvalsOf } from './quote_approval.ts'
import { contentPart, encodeParts, encodePlain, type PartTexts, type StatusFragment } from './fragment.ts'

const loadFacts = query(
  'statuses/facts',
  { ids: c.ids, deleted: c.boolean },
  {
    id: c.id,
    account_id: c.id,
    username: c.text,
    domain: c.nullable(c.text),
    uri: c.nullable(c.text),
    url: c.nullable(c.text),
    content: c.text,
    spoiler_text: c.text,
    visibility: c.visibility,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    in_reply_to_id: c.nullable(c.id),
    in_reply_to_account_id: c.nullable(c.id),
    reblog_of_id: c.nullable(c.id),
    conversation_id: c.nullable(c.id),
    quote_approval_policy: c.text,
    created_at: c.timestamp,
    edited_at: c.nullable(c.timestamp),
    application_name: c.nullable(c.text),
    application_website: c.nullable(c.text),
    replies_count: c.integer,
    reblogs_count: c.integer,
    favourites_count: c.integer,
    quotes_count: c.integer,
    media: c.nullable(c.json<AttachmentRow[]>()),
    mentions: c.nullable(c.json<MentionedRow[]>()),
    tags: c.nullable(c.texts),
    emojis: c.nullable(c.json<EmojiRow[]>()),
    poll: c.nullable(c.json<PollRow>()),
    has_quote: c.boolean,
    card_id: c.nullable(c.id),
    card_url: c.nullable(c.text),
    collections: c.nullable(c.ids),
  },
  { pipelined: true },
)

type Facts = Row<typeof loadFacts.columns>

/**
 * The rendered statuses of this server process, without account and viewer data. Changes of
 * accounts drop nothing, because the account is looked up separately.
 */
export const statusFragments: (services: Services) => EventCache<StatusFragment> = perServer(services =>
  eventCache<StatusFragment>(services, {
    name: 'statuses',
    async load(ids) {
      const rows = await services.database.run(loadFacts, { ids, deleted: false })
      return new Map(rows.map(row => [row.id, toFragment(row, services)]))
    },
    drops: {
      'status.updated': event => [event.status_id],
      'status.deleted': event => [event.status_id],
      'status.counted': event => [event.status_id],
      'preview_card.shown': event => [event.status_id],
      'application.changed': 'all',
      'emojis.changed': 'all',
    },
  }),
)

/** Statuses that may be deleted but are kept as evidence; not cached. */
export async function loadEvidence(services: Services, ids: readonly Id[]): Promise<Map<Id, StatusFragment>> {
  if (ids.length === 0) return new Map()
  const rows = await services.database.run(loadFacts, { ids: [...ids], deleted: true })
  return new Map(rows.map(row => [row.id, toFragment(row, services)]))
}

/** A status as seen by the transaction that has just created it; not cached. */
export async function loadFragment(services: Services, transaction: Runner, id: Id): Promise<StatusFragment> {
  const row = await transaction.one(loadFacts, { ids: [id], deleted: false })
  if (!row) throw new Error('the new status was not found')
  return toFragment(row, services)
}

/** The result of the statement that stored a new status, and the parameters of its author. */
export interface NewStatus extends Pick<
  Facts,
  | 'id'
  | 'account_id'
  | 'username'
  | 'content'
  | 'spoiler_text'
  | 'visibility'
  | 'sensitive'
  | 'language'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'conversation_id'
  | 'quote_approval_policy'
  | 'created_at'
  | 'application_name'
  | 'application_website'
> {
  readonly mentions: readonly MentionedRow[]
  readonly tagIds: readonly Id[]
  readonly tagNames: readonly string[]
}

/**
 * The fragment of a new status of this server without files, poll, quote and collections, as
 * loading would make it; undefined when it may have custom emojis, which only the database knows.
 */
export function makeNewFragment(status: NewStatus, services: Services): StatusFragment | undefined {
  if (MAY_HAVE_EMOJIS.test(`${status.spoiler_text} ${status.content}`)) return undefined
  const { tagIds, tagNames, mentions, ...known } = status
  const tags = tagNames.map((name, at) => ({ name, id: tagIds[at] ?? '0' })).sort((a, b) => compareIds(a.id, b.id))
  const facts = {
    ...known,
    ...NEW_AND_LOCAL,
    mentions: mentions.length > 0 ? [...mentions] : null,
    tags: tags.length > 0 ? tags.map(({ name }) => name) : null,
  }
  return toFragment(facts, services)
}

/** As in the SQL function `emojis_in`. */
const MAY_HAVE_EMOJIS = /:[a-zA-Z0-9_]{2,}:/

const NEW_AND_LOCAL = {
  domain: null,
  uri: null,
  url: null,
  reblog_of_id: null,
  edited_at: null,
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  quotes_count: 0,
  media: null,
  emojis: null,
  poll: null,
  has_quote: false,
  card_id: null,
  card_url: null,
  collections: null,
} as const

/** The members of an object as JSON, without the braces. */
const members = (object: object): string => JSON.stringify(object).slice(1, -1)

function toFragment(row: Facts, { config, storage }: Services): StatusFragment {
  const fileUrl = (key: string): string => storage.url(key)
  const fragment = {
    id: row.id,
    accountId: row.account_id,
    reblogOfId: row.reblog_of_id,
    conversationId: row.conversation_id,
    visibility: intern(row.visibility),
    sensitive: row.sensitive,
    quotePolicy: intern(row.quote_approval_policy),
    hasQuote: row.has_quote,
    collectionIds: row.collections ?? NONE,
    card: row.card_id === null || row.card_url === null ? null : { id: row.card_id, url: row.card_url },
    poll: row.poll && toPollFragment(row.poll, fileUrl),
    spoilerText: row.spoiler_text,
    descriptions: row.media?.flatMap(media => media.description ?? []) ?? NONE,
  }
  const isPlain =
    !fragment.poll &&
    !fragment.card &&
    !fragment.hasQuote &&
    fragment.collectionIds.length === 0 &&
    fragment.reblogOfId === null
  const texts = partTexts(row, config.publicUrl, fileUrl)
  const head = `{${members({ id: row.id, uri: uriOf(row, config.publicUrl), created_at: row.created_at })},"account":`
  return { ...fragment, ...(isPlain ? encodePlain(head, texts, row.sensitive) : encodeParts(head, texts)) }
}

const NONE: readonly never[] = []

/** The parts that are the same for all viewers. */
function partTexts(row: Facts, publicUrl: string, fileUrl: (key: string) => string): PartTexts {
  const boost = row.reblog_of_id !== null
  const application =
    row.application_name === null ? null : { name: row.application_name, website: row.application_website }
  const visibility = row.visibility === 'limited' ? 'private' : row.visibility
  return [
    contentPart(row.content),
    `,"visibility":"${visibility}","sensitive":`,
    `,${members({
      spoiler_text: row.spoiler_text,
      media_attachments: (row.media ?? []).map(media => toAttachment(media, fileUrl, publicUrl)),
    })}`,
    `,"application":${JSON.stringify(application)}`,
    `,${members({
      mentions: (row.mentions ?? []).map(mention => toMention(mention, publicUrl)),
      tags: (row.tags ?? []).map(name => ({ name, url: tagUrl(name, publicUrl) })),
      emojis: toEmojis(
        row.emojis,
        () => [row.spoiler_text, htmlToText(row.content), ...(row.poll?.options ?? [])].join(' '),
        fileUrl,
      ),
      reblogs_count: boost ? 0 : row.reblogs_count,
      favourites_count: boost ? 0 : row.favourites_count,
      quotes_count: boost ? 0 : row.quotes_count,
      replies_count: boost ? 0 : row.replies_count,
      url: urlOf(row, publicUrl),
      in_reply_to_id: row.in_reply_to_id,
      in_reply_to_account_id: row.in_reply_to_account_id,
    })},"reblog":`,
    `,${members({ language: row.language, edited_at: row.edited_at })}`,
    `,"quote_approval":{${approvalMembers(row.quote_approval_policy)},"current_user":"`,
  ]
}

function approvalMembers(policy: string): string {
  const { automatic, manual } = approvalsOf(policy)
  return members({ automatic, manual })
}

function toMention(mention: MentionedRow, publicUrl: string): object {
  const { id, username } = mention
  return {
    id,
    username,
    url: profileUrl(mention, publicUrl),
    acct: acctOf(mention),
  }
}
