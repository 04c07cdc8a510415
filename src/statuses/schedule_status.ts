import { ApiError } from '../core/errors.ts'
import { findLanguage } from '../core/languages/index.ts'
import { type SentParams, storeSchedule } from './scheduled/index.ts'
import type { Services } from '../platform/services.ts'
import { mediaMissing } from './resolve_references.ts'
import { type Draft, type Input, readDraft, refuse } from './draft.ts'
import type { Posted } from './idempotency.ts'
import { type Posting, prepare } from './publish.ts'

/**
 * Schedules a status. It is checked now as if it were published now.
 * @param key the stored Idempotency-Key, null for none
 * @throws ApiError with the messages that clients expect
 */
export async function scheduleStatus(
  services: Services,
  { viewer, applicationId }: Posting,
  input: Input,
  at: Date,
  key: string | null,
): Promise<Posted> {
  const { draft, mediaIds } = await check(services, viewer, input)
  const { visibility } = draft
  const schedule = {
    account: viewer.id,
    application: applicationId,
    at,
    params: toSent(input, draft),
    settled: {
      // Clients never post limited statuses.
      visibility: visibility === 'limited' ? 'private' : visibility,
      language: draft.language,
      sensitive: draft.sensitive,
    },
    media: mediaIds,
    key,
  } as const
  const id = await storeSchedule(services, schedule, () => mediaMissing(mediaIds))
  if (id === undefined) throw new ApiError('unavailable')
  return { scheduled: id }
}

/**
 * Parameters that would be invalid at publication get a message of two words; references get the
 * messages of posting.
 */
async function check(services: Services, viewer: Posting['viewer'], input: Input) {
  try {
    const { draft, composed } = await prepare(
      services,
      viewer,
      readDraft(input, viewer, services.config.defaultLocale),
      null,
    )
    return { draft, mediaIds: composed.mediaIds }
  } catch (error) {
    if (error instanceof ApiError && error.message.startsWith('Validation failed: ')) throw refuse('Record invalid')
    throw error
  }
}

function toSent(input: Input, draft: Draft): SentParams {
  const { poll, media_ids: media, allowed_mentions: allowed } = input
  return {
    text: input.status ?? '',
    poll: draft.poll && poll ? poll : null,
    media_ids: media && draft.mediaIds.length > 0 ? draft.mediaIds : null,
    sensitive: input.sensitive ?? null,
    spoiler_text: input.spoiler_text ?? null,
    visibility: input.visibility ?? null,
    in_reply_to_id: draft.parentId,
    language: input.language === undefined ? null : (findLanguage(input.language) ?? input.language),
    quoted_status_id: draft.quotedId,
    quote_approval_policy: draft.quotePolicy,
    ...(allowed && { allowed_mentions: allowed }),
  }
}
