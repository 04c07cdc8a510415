import { ApiError } from '../core/errors.ts'
import { operation, type Context } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import { pollParam } from './polls/index.ts'
import { respondWithScheduled, readScheduledAt } from './scheduled/index.ts'
import { POSTED_VISIBILITIES, readDraft, type Input } from './draft.ts'
import { idempotently, type Posted } from './idempotency.ts'
import { publish, type Posting } from './publish.ts'
import { renderStatus } from './render.ts'
import type { Services } from '../platform/services.ts'
import { scheduleStatus } from './schedule_status.ts'

/**
 * Publishes or schedules a status: once for a key, and within the author's budget.
 * @param key the Idempotency-Key, '' for none
 * @throws ApiError with the messages that clients expect
 */
export function post(
  context: Pick<Context, keyof Services | 'budget'>,
  posting: Posting,
  input: Input & { readonly scheduled_at?: Date | undefined },
  key: string,
): Promise<Posted> {
  const { budget, config } = context
  return idempotently(context, posting.viewer, key, async stored => {
    const exhausted = await budget.exhausted()
    if (exhausted) throw exhausted
    const at = readScheduledAt(input.scheduled_at, Date.now())
    const made = at
      ? await scheduleStatus(context, posting, input, at, stored)
      : await publish(context, posting, readDraft(input, posting.viewer, config.defaultLocale), stored)
    await budget.spend()
    return made
  })
}

/** Publishes a status, or schedules it. */
export const postStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses',
  auth: 'user',
  scopes: ['write:statuses'],
  budget: 'statuses',
  manualBudget: 'valid',
  summary: 'Publish or schedule a status',
  params: {
    status: param.string({ optional: true, description: 'the text; optional with media' }),
    media_ids: param.strings({
      optional: true,
      description: 'own unattached files, in order of display',
    }),
    poll: pollParam,
    in_reply_to_id: param.string({ optional: true, description: 'the status that this one replies to' }),
    sensitive: param.boolean({ optional: true }),
    spoiler_text: param.string({ optional: true, description: 'content warning' }),
    visibility: param.enumeration(POSTED_VISIBILITIES, { optional: true }),
    language: param.string({ optional: true, description: 'ISO 639 code; an unknown one is ignored' }),
    scheduled_at: param.datetime({
      optional: true,
      invalid: 'recordInvalid',
      description: 'more than five minutes ahead',
    }),
    quoted_status_id: param.string({ optional: true }),
    quote_approval_policy: param.string({ optional: true, description: 'who may quote: public, followers or nobody' }),
    allowed_mentions: param.ids({ optional: true, description: 'the only accounts that the text may mention' }),
  },
  returns: 'Status | ScheduledStatus',
  async handle(input, context) {
    const { viewer, token, request } = context
    const posting = { viewer, applicationId: token.applicationId }
    const posted = await post(context, posting, input, request.header('idempotency-key'))
    if ('scheduled' in posted) return respondWithScheduled(context, viewer.id, posted.scheduled)
    const status =
      'dropped' in posted
        ? await renderStatus(context, viewer, posted.dropped.id, { fresh: true, unstored: posted.dropped })
        : await renderStatus(context, viewer, posted.status, { fresh: posted.fresh })
    if (!status) throw new ApiError('notFound')
    return status
  },
})
