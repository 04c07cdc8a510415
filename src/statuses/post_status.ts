import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import { pollParam } from './polls/index.ts'
import { respondWithScheduled, readScheduledAt } from './scheduled/index.ts'
import { POSTED_VISIBILITIES, readDraft } from './draft.ts'
import { idempotently } from './idempotency.ts'
import { publish } from './publish.ts'
import { renderStatus } from './render.ts'
import { scheduleStatus } from './schedule_status.ts'

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
    const { viewer, token, request, budget } = context
    const posting = { viewer, applicationId: token.applicationId }
    const posted = await idempotently(context, viewer, request.header('idempotency-key'), async key => {
      const exhausted = await budget.exhausted()
      if (exhausted) throw exhausted
      const at = readScheduledAt(input.scheduled_at, Date.now())
      const made = at
        ? await scheduleStatus(context, posting, input, at, key)
        : await publish(context, posting, readDraft(input, viewer, context.config.defaultLocale), key)
      await budget.spend()
      return made
    })
    if ('scheduled' in posted) return respondWithScheduled(context, viewer.id, posted.scheduled)
    const status =
      'dropped' in posted
        ? await renderStatus(context, viewer, posted.dropped.id, { fresh: true, unstored: posted.dropped })
        : await renderStatus(context, viewer, posted.status, { fresh: posted.fresh })
    if (!status) throw new ApiError('notFound')
    return status
  },
})
