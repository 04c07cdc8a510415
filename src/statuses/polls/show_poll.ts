import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Json, operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { pollText, type PollRow, toPollFragment } from './fragment.ts'

const findPoll = query(
  'statuses/polls/show',
  { viewer: c.nullable(c.id), poll: c.id },
  { poll: c.json<PollRow>(), is_author: c.boolean, choices: c.integers, blocked: c.boolean },
)

export type SeenPoll = Row<typeof findPoll.columns>

/**
 * A poll as the viewer sees it.
 * @throws ApiError when its status is not visible
 */
export async function findSeenPoll(runner: Runner, viewer: Viewer | null, poll: Id): Promise<SeenPoll> {
  const seen = await runner.one(findPoll, { viewer: viewer?.id ?? null, poll })
  if (!seen) throw new ApiError('notFound', { message: 'Not Found' })
  return seen
}

/**
 * The entity Poll for the viewer.
 * @throws ApiError when its status is not visible
 */
export async function answerPoll({ database, storage }: Services, viewer: Viewer | null, poll: Id): Promise<Json> {
  const seen = await findSeenPoll(database, viewer, poll)
  const fragment = toPollFragment(seen.poll, key => storage.url(key))
  const voter = viewer && { isAuthor: seen.is_author, choices: seen.choices }
  return new Json(pollText(fragment, voter, Date.now()))
}

export const showPoll = operation({
  method: 'GET',
  path: '/api/v1/polls/:id',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: () => ['status.updated', 'status.deleted'],
  summary: 'Show a poll',
  params: { id: param.id() },
  returns: 'Poll',
  handle: ({ id }, context) => answerPoll(context, context.viewer, id),
})
