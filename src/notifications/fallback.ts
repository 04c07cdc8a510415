import type { AccountFragment } from '../accounts/index.ts'
import { escapeHtml } from '../core/text/index.ts'
import { chooseLanguage, translator, type Translator, type TextKey } from '../platform/i18n/index.ts'

/** What happened, for types that a client may not know. */
const HAPPENINGS: Readonly<Record<string, TextKey>> = {
  severed_relationships: 'fallback.severed_relationships',
  moderation_warning: 'fallback.moderation_warning',
  'admin.sign_up': 'fallback.admin.sign_up',
  'admin.report': 'fallback.admin.report',
  added_to_collection: 'fallback.added_to_collection',
  collection_update: 'fallback.collection_update',
}

/** For whom fallbacks are made. */
export interface FallbackReader {
  /** The types that the client says it knows; undefined when it says nothing, which is to want none. */
  readonly supported: readonly string[] | undefined
  /** Of the user; null: the server's. */
  readonly locale: string | null
}

/** What is told about. */
export interface Happening {
  readonly type: string
  /** Who caused it, or the newest of a group. */
  readonly account: Pick<AccountFragment, 'acct' | 'username'> | undefined
  /** How many notifications a group has; 1 for one that is alone. */
  readonly members: number
}

/** The member `fallback` of a notification that the client cannot draw by itself: a NotificationFallback; empty when it needs none. */
export function renderFallback(
  { type, account, members }: Happening,
  { supported, locale }: FallbackReader,
  { publicUrl, defaultLocale }: { publicUrl: string; defaultLocale: string },
): string {
  const happening = HAPPENINGS[type]
  if (happening === undefined || !account || !supported || supported.includes(type)) return ''
  const speaker = translator(chooseLanguage(locale, defaultLocale))
  const page = escapeHtml(`${publicUrl}/notifications`)
  const name = nameWithLink(account, publicUrl)
  const fallback = {
    title: speaker.t(happening, { who: members > 1 ? withOthers(speaker, name, members - 1) : name }),
    summary: `${speaker.t('fallback.summary')} <a href="${page}">${speaker.t('fallback.link')}</a>.`,
    description: null,
  }
  return `,"fallback":${JSON.stringify(fallback)}`
}

function nameWithLink({ acct, username }: NonNullable<Happening['account']>, publicUrl: string): string {
  const profile = escapeHtml(`${publicUrl}/@${acct}`)
  const link = `<a href="${profile}" class="u-url mention">@<span>${escapeHtml(username)}</span></a>`
  return `<span class="h-card" translate="no">${link}</span>`
}

const withOthers = ({ t: say }: Translator, name: string, count: number): string =>
  say(count === 1 ? 'fallback.one_other' : 'fallback.others', { name, count })
