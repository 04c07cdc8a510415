import type { AttachmentRow } from '../../media/attachments/index.ts'
import type { Id } from '../../core/id.ts'
import { tagUrl } from '../../core/text/index.ts'
import { typeOfKey } from '../../platform/storage/index.ts'
import {
  actorUri,
  collectionUri,
  contextUri,
  formatDateTime,
  followersUri,
  ceilToSecond,
  noteUri,
  PUBLIC,
} from '../protocol/index.ts'
import { addressesOf, mentionedUri } from './addresses.ts'
import { emojiTags, type ServerUrls } from './emojis.ts'
import type { NoteRow } from './note_row.ts'
import { statusUri } from './reference.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const numberIn = (value: unknown, name: string): number | undefined => {
  const found = isRecord(value) ? value[name] : undefined
  return typeof found === 'number' ? found : undefined
}

/** The document of an attached file; empty unless it is processed. */
function attachmentObject(file: AttachmentRow, { fileUrl }: ServerUrls): object[] {
  if (file.file_key === null || file.processing !== 'done') return []
  const { original, focus } = file.meta
  const [x, y, seconds] = [numberIn(focus, 'x'), numberIn(focus, 'y'), numberIn(original, 'duration')]
  const [width, height] = [numberIn(original, 'width'), numberIn(original, 'height')]
  const hasCover = (file.type === 'audio' || file.type === 'video') && file.preview_key !== null
  return [
    {
      type: 'Document',
      mediaType: typeOfKey(file.file_key),
      url: fileUrl(file.file_key),
      name: file.description,
      ...(file.blurhash !== null && { blurhash: file.blurhash }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(x !== undefined && y !== undefined && { focalPoint: [x, y] }),
      ...(seconds !== undefined && { duration: `PT${seconds}S` }),
      ...(hasCover &&
        file.preview_key !== null && {
          icon: { type: 'Image', mediaType: typeOfKey(file.preview_key), url: fileUrl(file.preview_key) },
        }),
    },
  ]
}

function tagsOf(row: NoteRow, urls: ServerUrls): object[] {
  const { publicUrl, localDomain } = urls
  const mentions = (row.mentions ?? []).map(one => ({
    type: 'Mention',
    href: mentionedUri(one, publicUrl),
    name: `@${one.username}@${one.domain ?? localDomain}`,
  }))
  const hashtags = row.tags.map(name => ({ type: 'Hashtag', href: tagUrl(name, publicUrl), name: `#${name}` }))
  const texts = [row.spoiler_text, row.content, ...(row.poll?.options ?? [])]
  const collections = (row.collections ?? []).map(({ id, account_id: curator, name, uri }) => ({
    id: uri ?? collectionUri(publicUrl, curator, id),
    type: 'FeaturedCollection',
    name,
  }))
  return [...mentions, ...hashtags, ...emojiTags(row.emojis, texts, urls), ...collections]
}

/** The members that turn a note with a poll into a question. */
function pollMembers({ poll }: NoteRow): object {
  if (poll === null) return {}
  const options = poll.options.map((name, index) => ({
    type: 'Note',
    name,
    // Without a number others know that it is hidden.
    replies: { type: 'Collection', ...(!poll.hidden && { totalItems: poll.tallies[index] ?? 0 }) },
  }))
  return {
    type: 'Question',
    [poll.multiple ? 'anyOf' : 'oneOf']: options,
    ...(poll.expires_at !== null && { endTime: formatDateTime(new Date(poll.expires_at)) }),
    ...(poll.closed !== null && { closed: formatDateTime(new Date(poll.closed)) }),
    votersCount: poll.voters,
  }
}

function quoteMembers({ quote, account_id: author }: NoteRow, publicUrl: string): object {
  if (quote === null) return {}
  if (quote.status === null || quote.status.deleted) return { quote: { type: 'Tombstone' } }
  const uri = statusUri(quote.status, publicUrl)
  // A self-quote needs no authorization.
  const isApproved = quote.state === 'accepted' && quote.author !== author
  const authorization = quote.local
    ? `${actorUri(publicUrl, quote.author)}/quote_authorizations/${quote.id}`
    : quote.approval_uri
  return {
    quote: uri,
    _misskey_quote: uri,
    quoteUri: uri,
    ...(isApproved && authorization !== null && { quoteAuthorization: authorization }),
  }
}

function interactionPolicy({ quote_approval_policy: policy, account_id: author }: NoteRow, publicUrl: string): object {
  const own = actorUri(publicUrl, author)
  const approved = policy === 'public' ? PUBLIC : policy === 'followers' ? followersUri(publicUrl, author) : own
  return { canQuote: { automaticApproval: [approved] } }
}

const repliesCollection = (id: string, author: Id, replies: readonly Id[], publicUrl: string): object => ({
  id: `${id}/replies`,
  type: 'Collection',
  first: {
    type: 'CollectionPage',
    next: `${id}/replies?${replies.length < 5 ? 'only_other_accounts=true&page=true' : `min_id=${replies.at(-1)}&page=true`}`,
    partOf: `${id}/replies`,
    items: replies.map(reply => noteUri(publicUrl, author, reply)),
  },
})

const countCollection = (id: string, totalItems: number): object => ({ id, type: 'Collection', totalItems })

/**
 * The URI of a conversation; for one of this server a tag URI (RFC 4151), which has no document.
 */
function conversationUri({ conversation }: NoteRow, { localDomain }: ServerUrls): string | undefined {
  if (conversation === null) return undefined
  return /^\d{4}-/.test(conversation) ? `tag:${localDomain},${conversation}:objectType=Conversation` : conversation
}

/** The Note of a local status that is not a boost, without its context. */
export function noteObject(row: NoteRow, urls: ServerUrls): object {
  const { publicUrl } = urls
  const id = noteUri(publicUrl, row.account_id, row.id)
  const parent = row.parent === null ? null : statusUri(row.parent, publicUrl)
  const conversation = conversationUri(row, urls)
  const files = (row.attachments ?? []).flatMap(file => attachmentObject(file, urls))
  return {
    id,
    type: 'Note',
    summary: row.spoiler_text === '' ? null : row.spoiler_text,
    inReplyTo: parent,
    published: formatDateTime(row.created_at),
    ...(row.edited_at !== null && { updated: formatDateTime(ceilToSecond(row.edited_at)) }),
    url: `${publicUrl}/@${row.username}/${row.id}`,
    attributedTo: actorUri(publicUrl, row.account_id),
    ...addressesOf(row, row.mentions ?? [], [], publicUrl),
    sensitive: row.sensitive,
    atomUri: id,
    inReplyToAtomUri: parent,
    ...(conversation !== undefined && { conversation }),
    ...(row.root !== null && { context: contextUri(publicUrl, row.root.account, row.root.status) }),
    content: row.content,
    ...(row.language !== null && { contentMap: { [row.language]: row.content } }),
    attachment: [...files, ...(row.card_url === null ? [] : [{ type: 'Link', href: row.card_url }])],
    tag: tagsOf(row, urls),
    replies: repliesCollection(id, row.account_id, row.own_replies, publicUrl),
    likes: countCollection(`${id}/likes`, row.likes),
    shares: countCollection(`${id}/shares`, row.shares),
    interactionPolicy: interactionPolicy(row, publicUrl),
    ...quoteMembers(row, publicUrl),
    ...pollMembers(row),
  }
}
