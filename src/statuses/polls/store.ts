import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { PollDraft } from './draft.ts'
import { endPoll } from './end_poll.ts'

const addPoll = query(
  'statuses/polls/add',
  {
    status: c.id,
    options: c.texts,
    multiple: c.boolean,
    hide_totals: c.boolean,
    expires_in: c.integer,
    expires_at: c.timestamp,
  },
  { id: c.id },
)
const lock = query('statuses/polls/lock_of_status', { status: c.id }, { id: c.id })

/** The end of a poll that begins now. */
export const endOf = (draft: PollDraft): Date => new Date(Date.now() + draft.expiresInS * 1000)

/** Stores the poll of a status, in the transaction that creates the status. */
export async function storePoll(transaction: Runner, status: Id, draft: PollDraft): Promise<void> {
  const endsAt = endOf(draft)
  const poll = await transaction.one(addPoll, {
    status,
    options: [...draft.options],
    multiple: draft.multiple ?? false,
    hide_totals: draft.hideTotals,
    expires_in: draft.expiresInS,
    expires_at: endsAt,
  })
  if (!poll) throw new Error('a poll was not stored')
  await scheduleEnd(transaction, poll.id, endsAt)
}

/** Schedules the notifications of a poll's end, in place of an earlier end. */
export const scheduleEnd = (transaction: Runner, poll: Id, endsAt: Date): Promise<void> =>
  enqueue(transaction, endPoll, { poll_id: poll }, { at: endsAt, key: `polls.end:${poll}` })

/** Blocks votes until the transaction ends. Later reads in it include all earlier votes. */
export async function lockPollOf(transaction: Runner, status: Id): Promise<void> {
  await transaction.one(lock, { status })
}
