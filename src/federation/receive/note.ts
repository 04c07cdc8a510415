import { quotePolicyOf, type QuoteGroup } from '../../statuses/index.ts'
import { escapeHtml, formatNote, possibleHtmlToText } from '../../core/text/index.ts'
import { findLanguage } from '../../core/languages/index.ts'
import {
  idOf,
  isObject,
  isPublicAudience,
  listOf,
  sameHost,
  textOf,
  totalIn,
  typesOf,
  type JsonObject,
  isStorableUri,
  parseTime,
} from '../protocol/index.ts'
import { mediaIn, type NoteMedia } from './note_media.ts'
import { attachedLink, hashtagsIn, linkOf, mentionsIn, pollIn, quotedIn, webUrl, type NotePoll } from './note_parts.ts'

/** A Note or Question of another server, or another object that is converted to a link. */
export interface Note {
  readonly uri: string
  readonly url: string | undefined
  /** Sanitised. */
  readonly content: string
  /** Plain text. */
  readonly spoilerText: string
  readonly sensitive: boolean
  readonly language: string | undefined
  readonly published: Date | undefined
  readonly updated: Date | undefined
  readonly parentUri: string | undefined
  readonly conversationUri: string | undefined
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  /** Its addressees, up to a limit. */
  readonly audience: readonly string[]
  readonly mentions: readonly string[]
  readonly hashtags: ReadonlyMap<string, string>
  readonly media: readonly NoteMedia[]
  /** The page that its server chose for the preview, or that it is about. */
  readonly link: string | undefined
  readonly poll: NotePoll | undefined
  readonly quotedUri: string | undefined
  readonly approvalUri: string | undefined
  readonly quotePolicy: string
  /** How many its server counts; null when it does not say it. */
  readonly likes: number | null
  readonly shares: number | null
  readonly document: JsonObject
}

const NOTE_TYPES = new Set(['Note', 'Question'])
const LINK_TYPES = new Set(['Image', 'Audio', 'Video', 'Article', 'Page', 'Event'])
/** Longer texts are ignored; they would not fit into the search index. */
const MAX_CHARACTERS = 100_000
/** The maximum number of addressees that are looked up. */
const MAX_AUDIENCE = 500

/** Whether an object is shown as a status. */
export const isStatusLike = (object: JsonObject): boolean =>
  typesOf(object).some(type => NOTE_TYPES.has(type) || LINK_TYPES.has(type))

const uris = (value: unknown): string[] => listOf(value).flatMap(one => idOf(one) ?? [])

function visibilityOf(object: JsonObject, followersUrl: string): Note['visibility'] {
  const to = uris(object['to'])
  if (to.some(isPublicAudience)) return 'public'
  if (uris(object['cc']).some(isPublicAudience)) return 'unlisted'
  return followersUrl !== '' && to.includes(followersUrl) ? 'private' : 'direct'
}

/** The first addressees; those with a mention count as such wherever they stand. */
function audienceOf(object: JsonObject, mentions: readonly string[]): string[] {
  const all = new Set([...uris(object['to']), ...uris(object['cc'])])
  return [...new Set([...mentions.filter(uri => all.has(uri)), ...all])].slice(0, MAX_AUDIENCE)
}

/** A text with its language: the member itself, else the first entry of its language map. */
function readMapped(object: JsonObject, name: string): { text: string; language: string | undefined } {
  const map = object[`${name}Map`]
  const texts = isObject(map) ? Object.entries(map).filter(([, text]) => textOf(text) !== undefined) : []
  const given = textOf(object[name])
  const plain = given === '' ? undefined : given
  const [language, text] =
    texts.find(([, one]) => one === plain) ?? (plain === undefined || texts.length === 1 ? texts[0] : undefined) ?? []
  return { text: plain ?? textOf(text) ?? '', language: language === undefined ? undefined : findLanguage(language) }
}

/** PeerTube sends the text of a comment as it was typed. Markdown may consist of HTML. */
function contentHtml(text: string, mediaType: unknown): string {
  const [, type] = /^text\/(plain|markdown)\b/i.exec(textOf(mediaType) ?? '') ?? []
  if (type === undefined || (type.toLowerCase() === 'markdown' && /^\s*<(?:p|div|br|span)\b/i.test(text))) return text
  return formatNote(text, { mentions: () => undefined, tagUrl: () => undefined })
}

/** HTML for an object that is converted to a link: its title, which is plain text, and the link. */
function linkHtml(title: string, url: string): string {
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
  return title === '' ? `<p>${link}</p>` : `<p>${escapeHtml(title)}</p><p>${link}</p>`
}

/** Whoever is asked about an author's note. */
interface NoteAuthor {
  readonly uri: string
  readonly followers_url: string
  readonly following_url: string
}

/**
 * The groups that a list of approvals names; the author's own URI means that nobody else is
 * approved.
 */
function groupsIn(approvals: unknown, author: NoteAuthor): QuoteGroup[] {
  const group = (uri: string): QuoteGroup => {
    if (isPublicAudience(uri)) return 'public'
    if (uri === author.followers_url) return 'followers'
    return uri === author.following_url ? 'following' : 'unsupported'
  }
  return uris(approvals).flatMap(uri => (uri === author.uri ? [] : group(uri)))
}

function readQuotePolicy(object: JsonObject, author: NoteAuthor): string {
  const policy = object['interactionPolicy']
  const canQuote = isObject(policy) && isObject(policy['canQuote']) ? policy['canQuote'] : {}
  const automatic = groupsIn(canQuote['automaticApproval'], author)
  // Whoever may quote at once need not ask; other groups may be different ones.
  const manual = groupsIn(canQuote['manualApproval'], author).filter(
    group => group === 'unsupported' || !automatic.includes(group),
  )
  return quotePolicyOf(automatic, manual)
}

const boundedUri = (value: unknown): string | undefined => {
  const uri = idOf(value)
  return uri !== undefined && isStorableUri(uri) ? uri : undefined
}

/**
 * Parses an object of an author. Undefined when it is not shown as a status, is too long, or does
 * not belong to the author: its id is on another host, or `attributedTo` names another actor.
 */
export async function readNote(object: JsonObject, author: NoteAuthor): Promise<Note | undefined> {
  const uri = boundedUri(object['id'])
  const attributedTo = idOf(object['attributedTo'])
  if (uri === undefined || !isStatusLike(object) || !sameHost(uri, author.uri)) return undefined
  if (attributedTo !== undefined && !listOf(object['attributedTo']).some(one => idOf(one) === author.uri))
    return undefined
  const { sanitiseRemote } = await import('../../core/text/sanitise.ts')
  const isNote = typesOf(object).some(type => NOTE_TYPES.has(type))
  const body = readMapped(object, 'content')
  const title = readMapped(object, 'name')
  const summary = readMapped(object, 'summary')
  const stored = isNote ? body.text.length + summary.text.length : title.text.length
  if (stored > MAX_CHARACTERS) return undefined
  const url = linkOf(object['url'], type => type === 'text/html')
  const mentions = mentionsIn(object).slice(0, MAX_AUDIENCE)
  return {
    uri,
    url,
    content: isNote
      ? sanitiseRemote(contentHtml(body.text, object['mediaType']))
      : linkHtml(title.text.trim(), url ?? uri),
    spoilerText: isNote ? possibleHtmlToText(summary.text) : '',
    sensitive: object['sensitive'] === true,
    language: body.language ?? title.language ?? summary.language,
    published: parseTime(object['published']),
    updated: parseTime(object['updated']),
    parentUri: boundedUri(object['inReplyTo']),
    conversationUri: boundedUri(object['conversation']) ?? boundedUri(object['context']),
    visibility: visibilityOf(object, author.followers_url),
    audience: audienceOf(object, mentions),
    mentions,
    hashtags: hashtagsIn(object),
    media: mediaIn(object),
    link: attachedLink(object),
    poll: pollIn(object),
    quotedUri: quotedIn(object),
    approvalUri: webUrl(idOf(object['quoteAuthorization'])),
    quotePolicy: readQuotePolicy(object, author),
    likes: totalIn(object['likes']),
    shares: totalIn(object['shares']),
    document: object,
  }
}
