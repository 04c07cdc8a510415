import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import { dropSchedule, type Due, findDueSchedule, PUBLISH } from './scheduled/index.ts'
import type { Services } from '../platform/services.ts'
import { type Input, readDraft, refuse } from './draft.ts'
import { publish } from './publish.ts'

/**
 * Publishes a scheduled status that is due. Ignores one that was cancelled or moved. Drops it when
 * it can no longer be published or all attempts have failed.
 */
export const publishScheduled = job<{ id: Id }, Services>(
  PUBLISH.name,
  payload => ({ id: idIn(payload, 'id') }),
  async ({ id }, services, { lastAttempt }) => {
    const due = await findDueSchedule(services.database, id)
    if (!due) return
    try {
      await publishDue(services, id, due)
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500
      if (!isFinal && !lastAttempt) throw error
      // It was cancelled or moved meanwhile, so there is nothing to report.
      if (!(await dropSchedule(services.database, id))) return
      services.logger.warn(
        { err: error, scheduled: id, account: due.account_id },
        'a scheduled status was dropped because it cannot be published',
      )
    }
  },
  { attempts: PUBLISH.attempts, hasChosenTime: true },
)

async function publishDue(services: Services, id: Id, due: Due): Promise<void> {
  const viewer = due.user_id === null ? undefined : await services.tokens.viewer(due.user_id)
  if (!viewer || viewer.suspended || viewer.state !== 'functional') throw new ApiError('loginDisabled')
  const draft = readDraft(toGiven(due), viewer, services.config.defaultLocale)
  const posted = await publish(services, { viewer, applicationId: due.application_id }, draft, null, id)
  if ('dropped' in posted) throw refuse('it was taken for spam')
}

/** The sent parameters, completed with the author's preferences of that time. */
function toGiven({ params, settled }: Due): Input {
  return {
    status: params.text,
    spoiler_text: params.spoiler_text ?? undefined,
    sensitive: settled.sensitive,
    visibility: settled.visibility,
    language: settled.language,
    in_reply_to_id: params.in_reply_to_id ?? undefined,
    media_ids: params.media_ids ?? undefined,
    quote_approval_policy: params.quote_approval_policy,
    quoted_status_id: params.quoted_status_id ?? undefined,
    poll: params.poll ?? undefined,
    allowed_mentions: params.allowed_mentions,
  }
}
