import type { AccountFragment } from '../accounts/index.ts'
import { escapeHtml } from '../text/index.ts'

/** What happened, after the name of who caused it, for types that a client may not know. */
const HAPPENINGS: Readonly<Record<string, string>> = {
  severed_relationships: 'lost connections',
  moderation_warning: 'received a moderation warning',
  'admin.sign_up': 'signed up',
  'admin.report': 'sent a report',
  added_to_collection: 'added you to a collection',
  collection_update: 'edited a collection that you are in',
}

/**
 * The entity NotificationFallback of a notification that the client cannot draw by itself; undefined when it needs none.
 * @param supported the types that the client says it knows
 * @param account who caused it, or the newest of a group
 * @param members how many notifications a group has; 1 for one that is alone
 */
export function makeFallback(
  type: string,
  supported: readonly string[],
  account: Pick<AccountFragment, 'acct' | 'username'>,
  publicUrl: string,
  members = 1,
): { title: string; summary: string; description: null } | undefined {
  const happening = HAPPENINGS[type]
  if (happening === undefined || supported.includes(type)) return undefined
  const profile = escapeHtml(`${publicUrl}/@${account.acct}`)
  const others = members > 1 ? ` and ${members - 1} ${members > 2 ? 'others' : 'other'}` : ''
  const page = escapeHtml(`${publicUrl}/notifications`)
  return {
    title:
      `<span class="h-card" translate="no"><a href="${profile}" class="u-url mention">` +
      `@<span>${escapeHtml(account.username)}</span></a></span>${others} ${happening}`,
    summary: `This app cannot show this kind of notification yet. <a href="${page}">See it on the web</a>.`,
    description: null,
  }
}
