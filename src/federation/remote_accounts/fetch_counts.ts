import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchFromHost } from '../fetch/index.ts'
import { sameHost, totalIn } from '../protocol/index.ts'

const findCollections = query(
  'federation/remote_accounts/collections',
  { account: c.id },
  { uri: c.text, followers: c.text, following: c.text, outbox: c.text },
)

const storeCounts = query(
  'federation/remote_accounts/store_counts',
  {
    account: c.id,
    followers: c.nullable(c.integer),
    following: c.nullable(c.integer),
    statuses: c.nullable(c.integer),
  },
  { id: c.id, events: c.events },
)

/**
 * Fetches how many followers, followed accounts and statuses an account has by its own server,
 * which alone knows them all. Enqueued when its document is stored.
 */
export const fetchCounts = job<{ account: Id }, Services>(
  'federation.fetch_counts',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, services, { lastAttempt }) => {
    const found = await services.database.one(findCollections, { account })
    if (!found) return
    let failure: OutgoingFailure | undefined
    const total = async (url: string): Promise<number | null> => {
      if (!sameHost(url, found.uri)) return null
      try {
        return totalIn(await fetchFromHost(services, url))
      } catch (error) {
        if (!(error instanceof OutgoingFailure)) throw error
        failure = error
        return null
      }
    }
    await services.database.run(storeCounts, {
      account,
      followers: await total(found.followers),
      following: await total(found.following),
      statuses: await total(found.outbox),
    })
    if (failure && !lastAttempt) throw failure
  },
  { attempts: 2, priority: 20 },
)
