import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeCachedMedia, removeCardImages } from './media.ts'
import { removeRemoteStatuses } from './statuses.ts'

const findExamined = query('moderation/retention/examined', {}, { last: c.id })
const saveExamined = query('moderation/retention/save_examined', { last: c.id }, {})
const endRound = query('moderation/retention/end_round', {}, {})

const DAY_MS = 86_400_000
const STATUSES_AT_ONCE = 500

/** The cut-off time of a setting in days; undefined: nothing is removed. */
const before = (days: number | null): Date | undefined =>
  days === null ? undefined : new Date(Date.now() - days * DAY_MS)

/**
 * Once a day: removes copies of remote attachments and link preview pictures after
 * `media_cache_retention_period`.
 */
const expireMediaCache = job<undefined, Services>(
  'retention.media_cache',
  () => undefined,
  async (_, services, { signal }) => {
    const limit = before(services.settings.get('media_cache_retention_period'))
    if (!limit) return
    await removeCachedMedia(services, { before: limit, signal })
    await removeCardImages(services, { before: limit, signal })
  },
  { cron: '47 3 * * *' },
)

/**
 * Once a day: removes remote statuses without local interaction after
 * `content_cache_retention_period`. Nearly all may be kept, for ever, so it continues where the
 * last run ended; once a month it examines all again.
 */
const expireContentCache = job<undefined, Services>(
  'retention.content_cache',
  () => undefined,
  async (_, { database, settings }, { signal }) => {
    const limit = before(settings.get('content_cache_retention_period'))
    if (!limit) return
    const examined = await database.one(findExamined, {})
    await removeRemoteStatuses(database, {
      before: limit,
      batchSize: STATUSES_AT_ONCE,
      after: examined?.last ?? '0',
      signal,
      async each(_removed, last) {
        if (last !== null) await database.run(saveExamined, { last })
      },
    })
    await database.run(endRound, {})
  },
  { cron: '17 4 * * *' },
)

export const jobs = [expireMediaCache, expireContentCache]
