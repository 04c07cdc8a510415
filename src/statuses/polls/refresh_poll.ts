import { refreshRemoteStatus } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const claim = query('statuses/polls/claim_refresh', { poll: c.id }, { status_id: c.id })

/** How long a response waits for another server; later results are in the next response. */
const WAIT_MS = 2000

/** Updates the results of a remote poll from its server, at most once a minute. */
export async function refreshPoll(services: Services, poll: Id): Promise<void> {
  const claimed = await services.database.one(claim, { poll })
  if (!claimed) return
  const waited = Promise.withResolvers<void>()
  const timer = setTimeout(waited.resolve, WAIT_MS)
  const refreshed = refreshRemoteStatus(services, claimed.status_id).catch((error: unknown) => {
    services.logger.warn({ err: error, poll }, 'the results of a poll could not be refreshed')
  })
  await Promise.race([refreshed, waited.promise])
  clearTimeout(timer)
}
