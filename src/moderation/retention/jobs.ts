import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeCachedMedia, removeCardImages } from './media.ts'
import { removeRemoteStatuses } from './statuses.ts'

const DAY_MS = 86_400_000
const STATUSES_AT_ONCE = 500

/** The time before which a setting in days lets things go; undefined: they are kept. */
const before = (days: number | null): Date | undefined =>
  days === null ? undefined : new Date(Date.now() - days * DAY_MS)

/** Once a day: copies of other servers' attachments and of linked pages' pictures go after `media_cache_retention_period`. */
const expireMediaCache = job<undefined, Services>(
  'retention.media_cache',
  () => undefined,
  async (_, services, { signal }) => {
    const limit = before(services.settings.get('media_cache_retention_period'))
    if (!limit) return
    await removeCachedMedia(services, { before: limit, signal })
    await removeCardImages(services, limit, signal)
  },
  { cron: '47 3 * * *' },
)

/** Once a day: other servers' statuses that nobody here has anything to do with go after `content_cache_retention_period`. */
const expireContentCache = job<undefined, Services>(
  'retention.content_cache',
  () => undefined,
  async (_, { database, settings }, { signal }) => {
    const limit = before(settings.get('content_cache_retention_period'))
    if (limit) await removeRemoteStatuses(database, { before: limit, batchSize: STATUSES_AT_ONCE, signal })
  },
  { cron: '17 4 * * *' },
)

export const jobs = [expireMediaCache, expireContentCache]
