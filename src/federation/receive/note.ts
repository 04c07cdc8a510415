import { escapeHtml, htmlToText } from '../../core/text/index.ts'
import { findLanguage } from '../../core/languages/index.ts'
import {
  idOf,
  isObject,
  isPublicAudience,
  listOf,
  sameHost,
  textOf,
  typesOf,
  type JsonObject,
} from '../protocol/index.ts'
import {
  hashtagsIn,
  linkOf,
  mediaIn,
  mentionsIn,
  pollIn,
  quotedIn,
  timeOf,
  webUrl,
  type NoteMedia,
  type NotePoll,
} from './note_parts.ts'
import { isBounded } from './references.ts'

/**
 * Who may quote posts of other servers, beside the policies that there are here: `manual` ones ask
 * the author, anybody or followers only; `followers_manual`: all but followers ask.
 */
export const MANUAL_QUOTE_POLICIES = ['manual', 'manual_followers', 'followers_manual'] as const
type QuotePolicy = 'public' | 'followers' | 'nobody' | (typeof MANUAL_QUOTE_POLICIES)[number]

/** A Note or Question of another server, or another object that is shown as a link. */
export interface Note {
  readonly uri: string
  readonly url: string | undefined
  /** Sanitised. */
  readonly content: string
  readonly spoilerText: string
  readonly sensitive: boolean
  readonly language: string | undefined
  readonly published: Date | undefined
  readonly updated: Date | undefined
  readonly parentUri: string | undefined
  readonly conversationUri: string | undefined
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  /** All its addressees. */
  readonly audience: readonly string[]
  readonly mentions: readonly string[]
  readonly hashtags: ReadonlyMap<string, string>
  readonly media: readonly NoteMedia[]
  readonly poll: NotePoll | undefined
  readonly quotedUri: string | undefined
  readonly approvalUri: string | undefined
  readonly quotePolicy: QuotePolicy
  readonly document: JsonObject
}

const WRITTEN = new Set(['Note', 'Question'])
const CONVERTED = new Set(['Image', 'Audio', 'Video', 'Article', 'Page', 'Event'])
/** A longer text is no status, and would not fit into the search index. */
const MAX_CHARACTERS = 100_000
/** More addressees are not looked up. */
const MAX_AUDIENCE = 500

/** Whether an object is shown as a status. */
export const isStatusLike = (object: JsonObject): boolean =>
  typesOf(object).some(type => WRITTEN.has(type) || CONVERTED.has(type))

const uris = (value: unknown): string[] => listOf(value).flatMap(one => idOf(one) ?? [])

function visibilityOf(object: JsonObject, followersUrl: string): Note['visibility'] {
  const to = uris(object['to'])
  if (to.some(isPublicAudience)) return 'public'
  if (uris(object['cc']).some(isPublicAudience)) return 'unlisted'
  return followersUrl !== '' && to.includes(followersUrl) ? 'private' : 'direct'
}

/** The text in its own language, or the only one that there is. */
function mapped(object: JsonObject, name: string): { text: string; language: string | undefined } {
  const map = object[`${name}Map`]
  const texts = isObject(map) ? Object.entries(map).filter(([, text]) => textOf(text) !== undefined) : []
  const plain = textOf(object[name])
  const [language, text] =
    texts.find(([, one]) => one === plain) ?? (plain === undefined || texts.length === 1 ? texts[0] : undefined) ?? []
  return { text: plain ?? textOf(text) ?? '', language: language === undefined ? undefined : findLanguage(language) }
}

/** Of an object that is no note: its title, which is plain text, with a link to it. */
function linkTo(title: string, url: string): string {
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
  return title === '' ? `<p>${link}</p>` : `<p>${escapeHtml(title)}</p><p>${link}</p>`
}

/** How much of the public a list of approvals names. */
function audienceOf(approvals: unknown, followersUrl: string): 'public' | 'followers' | 'nobody' {
  const named = uris(approvals)
  if (named.some(isPublicAudience)) return 'public'
  return followersUrl !== '' && named.includes(followersUrl) ? 'followers' : 'nobody'
}

function policyOf(object: JsonObject, followersUrl: string): Note['quotePolicy'] {
  const policy = object['interactionPolicy']
  const canQuote = isObject(policy) && isObject(policy['canQuote']) ? policy['canQuote'] : {}
  const automatic = audienceOf(canQuote['automaticApproval'], followersUrl)
  const manual = audienceOf(canQuote['manualApproval'], followersUrl)
  if (automatic === 'public') return 'public'
  if (automatic === 'followers') return manual === 'public' ? 'followers_manual' : 'followers'
  return manual === 'public' ? 'manual' : manual === 'followers' ? 'manual_followers' : 'nobody'
}

const boundedUri = (value: unknown): string | undefined => {
  const uri = idOf(value)
  return uri !== undefined && isBounded(uri) ? uri : undefined
}

/**
 * Reads an object of an author; undefined when it is not shown as a status, or does not belong to
 * the author: its id is on another host, or it names somebody else as its author. So is one that is
 * too long.
 */
export async function readNote(
  object: JsonObject,
  author: { readonly uri: string; readonly followers_url: string },
): Promise<Note | undefined> {
  const uri = boundedUri(object['id'])
  const by = idOf(object['attributedTo'])
  if (uri === undefined || !isStatusLike(object) || !sameHost(uri, author.uri)) return undefined
  if (by !== undefined && !listOf(object['attributedTo']).some(one => idOf(one) === author.uri)) return undefined
  const { sanitiseRemote } = await import('../../core/text/sanitise.ts')
  const isWritten = typesOf(object).some(type => WRITTEN.has(type))
  const body = mapped(object, 'content')
  const title = mapped(object, 'name')
  const summary = mapped(object, 'summary')
  if (body.text.length + title.text.length + summary.text.length > MAX_CHARACTERS) return undefined
  const url = linkOf(object['url'], type => type === 'text/html')
  return {
    uri,
    url,
    content: isWritten ? sanitiseRemote(body.text) : linkTo(title.text.trim(), url ?? uri),
    spoilerText: isWritten ? htmlToText(summary.text) : '',
    sensitive: object['sensitive'] === true,
    language: body.language ?? title.language ?? summary.language,
    published: timeOf(object['published']),
    updated: timeOf(object['updated']),
    parentUri: boundedUri(object['inReplyTo']),
    conversationUri: boundedUri(object['conversation']) ?? boundedUri(object['context']),
    visibility: visibilityOf(object, author.followers_url),
    audience: [...new Set([...uris(object['to']), ...uris(object['cc'])])].slice(0, MAX_AUDIENCE),
    mentions: mentionsIn(object).slice(0, MAX_AUDIENCE),
    hashtags: hashtagsIn(object),
    media: mediaIn(object),
    poll: pollIn(object),
    quotedUri: quotedIn(object),
    approvalUri: webUrl(idOf(object['quoteAuthorization'])),
    quotePolicy: policyOf(object, author.followers_url),
    document: object,
  }
}
