import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'

/** Event kinds that change the relationships of the account in account_id. */
const OF_ACCOUNT = new Set([
  'tag_follow.changed',
  'list.changed',
  'domain_block.changed',
  'user.changed',
  'account.deleted',
])
const OF_ACTOR = new Set(['follow', 'unfollow', 'follow_options', 'mute', 'unmute'])
const OF_BOTH = new Set(['block', 'unblock'])

/** The accounts whose relationships the event changes. */
export function changedBy(event: LoggedEvent): readonly Id[] {
  const { kind, actor_id: actor, account_id: account } = event
  if (OF_ACCOUNT.has(kind)) return account === null ? [] : [account]
  if (kind !== 'relationship.changed' || actor === null || account === null) return []
  const what = String(event.data['what'])
  if (OF_BOTH.has(what)) return [actor, account]
  return OF_ACTOR.has(what) ? [actor] : []
}
