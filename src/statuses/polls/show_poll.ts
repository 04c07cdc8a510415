import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Json, operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { pollText, type PollRow, toPollFragment } from './fragment.ts'
import { refreshPoll } from './refresh_poll.ts'

const findPoll = query(
  'statuses/polls/show',
  { viewer: c.nullable(c.id), poll: c.id },
  { poll: c.json<PollRow>(), is_remote: c.boolean, is_author: c.boolean, choices: c.integers, blocked: c.boolean },
)

export type VisiblePoll = Row<typeof findPoll.columns>

/**
 * A poll as the viewer sees it.
 * @throws ApiError when its status is not visible
 */
export async function findVisiblePoll(runner: Runner, viewer: Viewer | null, poll: Id): Promise<VisiblePoll> {
  const found = await runner.one(findPoll, { viewer: viewer?.id ?? null, poll })
  if (!found) throw new ApiError('notFound', { message: 'Not Found' })
  return found
}

function render({ storage }: Services, viewer: Viewer | null, found: VisiblePoll): Json {
  const fragment = toPollFragment(found.poll, key => storage.url(key))
  const voter = viewer && { isAuthor: found.is_author, choices: found.choices }
  return new Json(pollText(fragment, voter, Date.now()))
}

/**
 * The entity Poll for the viewer.
 * @throws ApiError when its status is not visible
 */
export const respondWithPoll = async (services: Services, viewer: Viewer | null, poll: Id): Promise<Json> =>
  render(services, viewer, await findVisiblePoll(services.database, viewer, poll))

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
  async handle({ id }, context) {
    const found = await findVisiblePoll(context.database, context.viewer, id)
    // An anonymous caller could make the server ask for every poll of another one.
    if (!found.is_remote || !context.viewer) return render(context, context.viewer, found)
    await refreshPoll(context, id)
    return respondWithPoll(context, context.viewer, id)
  },
})
