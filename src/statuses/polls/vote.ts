import { c, query, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { respondWithPoll, findVisiblePoll, type VisiblePoll } from './show_poll.ts'

const lock = query('statuses/polls/lock', { poll: c.id }, { id: c.id })
const cast = query(
  'statuses/polls/cast',
  { viewer: c.id, poll: c.id, choices: c.integers, first: c.boolean },
  { id: c.id, events: c.events },
)

/** All choices of a call are stored, or none. */
export const vote = operation({
  method: 'POST',
  path: '/api/v1/polls/:id/votes',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Vote in a poll',
  params: {
    id: param.id(),
    choices: param.integers({ default: [], description: 'indexes of the options, from 0' }),
  },
  returns: 'Poll',
  requireRecord: (id, { viewer, database }) => requireUnblocked(database, viewer, id),
  async handle({ id, choices }, context) {
    await castVotes(context, context.viewer, id, choices)
    return respondWithPoll(context, context.viewer, id)
  },
})

async function castVotes({ database }: Services, viewer: Viewer, poll: Id, choices: readonly number[]): Promise<void> {
  await database.transaction(async transaction => {
    // Reads after the lock include every vote that was stored before it.
    await transaction.one(lock, { poll })
    const seen = await requireUnblocked(transaction, viewer, poll)
    if (choices.length === 0)
      throw new ApiError('missingParameter', {
        message: 'param is missing or the value is empty or invalid: choices',
      })
    const errors = errorsOf(seen, choices, Date.now())
    if (errors.length > 0) throw validationError(...errors)
    await transaction.one(cast, { viewer: viewer.id, poll, choices: [...choices], first: seen.choices.length === 0 })
  })
}

/** A poll whose author and the viewer do not block each other. @throws ApiError for another one */
async function requireUnblocked(runner: Runner, viewer: Viewer, poll: Id): Promise<VisiblePoll> {
  const seen = await findVisiblePoll(runner, viewer, poll)
  if (seen.blocked) throw new ApiError('notAllowed')
  return seen
}

/** The reasons against these choices, in the documented order. */
function errorsOf(
  { poll, is_author: isAuthor, choices: earlier }: VisiblePoll,
  choices: readonly number[],
  nowMs: number,
) {
  const errors: string[] = []
  const isTaken = poll.multiple
    ? new Set([...earlier, ...choices]).size < earlier.length + choices.length
    : earlier.length + choices.length > 1
  if (poll.expires_at_ms !== null && poll.expires_at_ms <= nowMs) errors.push('The poll has already ended')
  if (choices.some(choice => choice < 0 || choice >= poll.options.length))
    errors.push('The chosen vote option does not exist')
  if (isAuthor) errors.push('You cannot vote in your own polls')
  if (isTaken) errors.push('You have already voted on this poll')
  return errors
}
