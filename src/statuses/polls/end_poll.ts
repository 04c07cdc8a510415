import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

/** The number of notifications in one transaction: about 20 ms. */
const BATCH_SIZE = 100

const end = query('statuses/polls/end', { poll: c.id }, { id: c.id, events: c.events })
const notifyVoters = query(
  'statuses/polls/notify_voters',
  { poll: c.id, after: c.id, limit: c.integer },
  { last: c.nullable(c.id), events: c.events },
)

interface Payload {
  readonly poll_id: Id
}

/**
 * Notifies the author and the voters of this server that a poll has ended. Ignores a poll that was
 * deleted or prolonged.
 */
export const endPoll = job<Payload, Services>(
  'polls.end',
  payload => ({ poll_id: idIn(payload, 'poll_id') }),
  async ({ poll_id: poll }, { database }, { signal }) => {
    if (!(await database.one(end, { poll }))) return
    for (let after: Id | null = '0'; after !== null;) {
      signal.throwIfAborted()
      after = (await database.one(notifyVoters, { poll, after, limit: BATCH_SIZE }))?.last ?? null
    }
  },
  { hasChosenTime: true },
)
