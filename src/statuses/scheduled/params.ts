import { c } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

/** The sent parameters of a scheduled status; null for omitted ones. */
export interface SentParams {
  readonly text: string
  readonly poll: object | null
  readonly media_ids: readonly Id[] | null
  readonly sensitive: boolean | null
  readonly spoiler_text: string | null
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct' | null
  readonly in_reply_to_id: Id | null
  readonly language: string | null
  readonly quoted_status_id: Id | null
  readonly quote_approval_policy: string
  readonly allowed_mentions?: readonly Id[]
}

/**
 * The parameters after applying the author's preferences when it was scheduled, so that later
 * changes of these cannot widen its audience.
 */
export interface Settled {
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  readonly language: string
  readonly sensitive: boolean
}

export const sentParams = c.json<SentParams>()
export const settled = c.json<Settled>()

/**
 * The entity ScheduledStatusParams as JSON. The parent's id is a number there, beyond JavaScript's
 * exact integers.
 */
export function paramsText(params: SentParams, applicationId: Id | null): string {
  const { text, poll, media_ids, sensitive, spoiler_text, visibility, language } = params
  const { in_reply_to_id: parent, quoted_status_id, quote_approval_policy, allowed_mentions } = params
  const head = JSON.stringify({ text, poll, media_ids, sensitive, spoiler_text, visibility })
  const tail = JSON.stringify({
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
    quoted_status_id,
    quote_approval_policy,
    ...(allowed_mentions && { allowed_mentions }),
  })
  const middle = `"in_reply_to_id":${parent},"language":${JSON.stringify(language)},"application_id":${applicationId}`
  return `${head.slice(0, -1)},${middle},${tail.slice(1)}`
}
