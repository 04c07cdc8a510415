import type { AccountFragment } from '../accounts/index.ts'
import { escapeHtml } from '../core/text/index.ts'
import { chooseLanguage, translatorFor, type Translator, type TextKey } from '../platform/i18n/index.ts'

/** Summaries of types that a client may not support. */
const SUMMARY_KEYS: Readonly<Record<string, TextKey>> = {
  severed_relationships: 'fallback.severed_relationships',
  moderation_warning: 'fallback.moderation_warning',
  'admin.sign_up': 'fallback.admin.sign_up',
  'admin.report': 'fallback.admin.report',
  added_to_collection: 'fallback.added_to_collection',
  collection_update: 'fallback.collection_update',
}

/** The reader of fallbacks. */
export interface FallbackReader {
  /**
   * The types that the client supports; undefined if it sent no list, and so wants no fallbacks.
   */
  readonly supported: readonly string[] | undefined
  /** The user's locale; null: the server's default. */
  readonly locale: string | null
}

/** The notification that a fallback describes. */
export interface FallbackSource {
  readonly type: string
  /** The account that caused it, or the newest account of a group. */
  readonly account: Pick<AccountFragment, 'acct' | 'username'> | undefined
  /** The number of notifications in a group; 1 for a single notification. */
  readonly members: number
}

/**
 * The member `fallback` (a NotificationFallback) of a notification that the client does not
 * support; empty if it does.
 */
export function renderFallback(
  { type, account, members }: FallbackSource,
  { supported, locale }: FallbackReader,
  { publicUrl, defaultLocale }: { publicUrl: string; defaultLocale: string },
): string {
  const happening = SUMMARY_KEYS[type]
  if (happening === undefined || !account || !supported || supported.includes(type)) return ''
  const translator = translatorFor(chooseLanguage(locale, defaultLocale))
  const page = escapeHtml(`${publicUrl}/notifications`)
  const name = nameWithLink(account, publicUrl)
  const fallback = {
    title: translator.t(happening, { who: members > 1 ? withOthers(translator, name, members - 1) : name }),
    summary: `${translator.t('fallback.summary')} <a href="${page}">${translator.t('fallback.link')}</a>.`,
    description: null,
  }
  return `,"fallback":${JSON.stringify(fallback)}`
}

function nameWithLink({ acct, username }: NonNullable<FallbackSource['account']>, publicUrl: string): string {
  const profile = escapeHtml(`${publicUrl}/@${acct}`)
  const link = `<a href="${profile}" class="u-url mention">@<span>${escapeHtml(username)}</span></a>`
  return `<span class="h-card" translate="no">${link}</span>`
}

const withOthers = ({ t }: Translator, name: string, count: number): string => t('fallback.others', { name, count })
