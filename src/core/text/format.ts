import { acctOf } from '../acct.ts'
import { escapeHtml } from './plain.ts'
import { recognise } from './recognise.ts'
import { cutCodePoints } from './truncate.ts'
import { parseUrl } from '../parse_url.ts'

/**
 * A mentioned account. `domain` is null for accounts of this server; `url` is the http(s) page of
 * the profile.
 */
export type MentionedAccount = { username: string; domain: string | null; url: string }

/**
 * Finds the account of a mention; undefined when there is none. A mention without domain means an
 * account of this server.
 */
export type ResolveMention = (username: string, domain: string | null) => MentionedAccount | undefined

/** Looks up the links that formatting needs. */
export type FormatContext = {
  mentions: ResolveMention
  /** The absolute, percent-encoded page of a hashtag, by its name as typed; undefined: no link. */
  tagUrl: (name: string) => string | undefined
}

/** Adds `quoteUrl`, the page of the quoted status. */
export type StatusFormatContext = FormatContext & { quoteUrl?: string | null | undefined }

type Style = { rel: string; withDomains: boolean }

const TEXT_STYLE: Style = { rel: 'nofollow noopener', withDomains: false }
const FIELD_STYLE: Style = { rel: 'nofollow noopener me', withDomains: true }

const SHOWN_CHARACTERS = 30
const WEB_URL = /^https?:\/\//i
const HIDDEN_PREFIX = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i

function formatUrl(url: string, rel: string): string {
  if (!parseUrl(url)) return escapeHtml(url)
  const prefix = HIDDEN_PREFIX.exec(url)?.[0] ?? ''
  const address = url.slice(prefix.length)
  const oneMore = cutCodePoints(address, SHOWN_CHARACTERS + 1)
  const shown = oneMore.length === address.length ? address : cutCodePoints(oneMore, SHOWN_CHARACTERS)
  const rest = address.slice(shown.length)
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span>` +
    `<span class="${rest === '' ? '' : 'ellipsis'}">${escapeHtml(shown)}</span>` +
    `<span class="invisible">${escapeHtml(rest)}</span></a>`
  )
}

function formatMention(account: MentionedAccount, withDomain: boolean): string {
  const name = withDomain ? acctOf(account) : account.username
  return (
    `<span class="h-card" translate="no"><a href="${escapeHtml(account.url)}" class="u-url mention">` +
    `@<span>${escapeHtml(name)}</span></a></span>`
  )
}

function formatHashtag(name: string, url: string): string {
  return `<a href="${escapeHtml(url)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(name)}</span></a>`
}

/** Usernames, in lower case, that several of these accounts have. */
function clashingUsernames(accounts: Iterable<MentionedAccount>): Set<string> {
  const firstByName = new Map<string, string>()
  const clashing = new Set<string>()
  for (const account of accounts) {
    const name = account.username.toLowerCase()
    const acct = acctOf(account).toLowerCase()
    const first = firstByName.get(name)
    if (first === undefined) firstByName.set(name, acct)
    else if (first !== acct) clashing.add(name)
  }
  return clashing
}

/** Escaped text with links; line breaks stay unchanged. */
function link(text: string, { mentions, tagUrl }: FormatContext, { rel, withDomains }: Style): string {
  const entities = recognise(text)
  const accounts = new Map<number, MentionedAccount>()
  for (const entity of entities) {
    if (entity.kind !== 'mention') continue
    const account = mentions(entity.username, entity.domain)
    if (account) accounts.set(entity.start, account)
  }
  const clashing = clashingUsernames(accounts.values())

  let html = ''
  let done = 0
  for (const entity of entities) {
    const account = accounts.get(entity.start)
    const tagPage = entity.kind === 'hashtag' ? tagUrl(entity.name) : undefined
    if (entity.kind !== 'url' && !account && tagPage === undefined) continue
    html += escapeHtml(text.slice(done, entity.start))
    done = entity.end
    if (entity.kind === 'url') html += formatUrl(entity.url, rel)
    else if (entity.kind === 'hashtag') html += formatHashtag(entity.name, tagPage ?? '')
    else if (account) html += formatMention(account, withDomains || clashing.has(account.username.toLowerCase()))
  }
  return html + escapeHtml(text.slice(done))
}

function formatParagraphs(html: string): string {
  let formatted = ''
  for (const paragraph of html.split(/\n{2,}/)) {
    if (paragraph.trim() === '') continue
    const from = paragraph.startsWith('\n') ? 1 : 0
    const to = paragraph.endsWith('\n') ? -1 : undefined
    formatted += `<p>${paragraph.slice(from, to).replaceAll('\n', '<br />')}</p>`
  }
  return formatted
}

/** The HTML of a bio written on this server; an empty string for blank text. Safe to display. */
export function formatNote(text: string, context: FormatContext): string {
  return formatParagraphs(link(text.replace(/\r\n?/g, '\n'), context, TEXT_STYLE))
}

/**
 * The HTML of a status written on this server. If the text lacks the address of the quoted status,
 * a reference to it comes first.
 */
export function formatStatus(text: string, context: StatusFormatContext): string {
  const html = formatNote(text, context)
  const { quoteUrl } = context
  if (quoteUrl === undefined || quoteUrl === null || text.includes(quoteUrl)) return html
  // The URL may come from another server and need not be a web address.
  const quoted = WEB_URL.test(quoteUrl) ? formatUrl(quoteUrl, TEXT_STYLE.rel) : escapeHtml(quoteUrl)
  return `<p class="quote-inline">RE: ${quoted}</p>${html}`
}

/**
 * The HTML of a profile field's value: one line, links marked as the person's own, mentions with
 * their domain.
 */
export function formatField(value: string, context: FormatContext): string {
  return link(value.replace(/[\r\n]+/g, ' ').trim(), context, FIELD_STYLE)
}

/** Spells mentions as their accounts are spelled: `@user` on this server, else `@user@domain`. */
export function rewriteMentions(text: string, resolve: ResolveMention): string {
  let rewritten = ''
  let done = 0
  for (const entity of recognise(text)) {
    const account = entity.kind === 'mention' ? resolve(entity.username, entity.domain) : undefined
    if (!account) continue
    rewritten += `${text.slice(done, entity.start)}@${acctOf(account)}`
    done = entity.end
  }
  return rewritten + text.slice(done)
}
