import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import type { ResolvedText } from './resolve_references.ts'

const anyNotFollowing = query('statuses/any_not_following', { author: c.id, accounts: c.ids }, { found: c.boolean })

/**
 * Whether a status is silently dropped: it has a phrase that staff configured, and mentions or
 * replies to somebody who does not follow its author.
 */
export async function isSpam({ settings, database }: Services, author: Id, composed: ResolvedText): Promise<boolean> {
  const phrases = settings.get('spam_phrases').toLowerCase().split('\n')
  const text = composed.text.toLowerCase()
  if (!phrases.some(phrase => phrase.trim() !== '' && text.includes(phrase.trim()))) return false
  const answered = composed.parent ? [composed.parent.account_id] : []
  const row = await database.one(anyNotFollowing, { author, accounts: [...composed.mentioned, ...answered] })
  return row?.found === true
}
