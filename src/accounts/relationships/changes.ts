import type { ChangeOf, EventOf } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'

/** The accounts whose cached relationships a change affects. */
const AFFECTED: Readonly<Record<ChangeOf<'relationship.changed'>, 'actor' | 'both' | 'nobody'>> = {
  follow: 'actor',
  follow_options: 'actor',
  unfollow: 'actor',
  mute: 'actor',
  unmute: 'actor',
  block: 'both',
  unblock: 'both',
  request: 'nobody',
  unrequest: 'nobody',
  note: 'nobody',
  endorse: 'nobody',
  unendorse: 'nobody',
}

/** The accounts whose relationships the event changes. */
export function accountsAffectedBy(event: EventOf<'relationship.changed'>): readonly Id[] {
  const concerned = AFFECTED[event.data.change]
  if (concerned === 'nobody') return []
  return concerned === 'both' ? [event.actor_id, event.account_id] : [event.actor_id]
}
