import { c, query, type Database } from '../../platform/database/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const severFollowing = query(
  'accounts/domain_blocks/sever_following',
  { viewer: c.id, domain: c.text, severance: c.id, limit: c.integer },
  { ended: c.integer, events: c.events },
)
const severFollowers = query(
  'accounts/domain_blocks/sever_followers',
  { viewer: c.id, domain: c.text, severance: c.id, before: c.id, limit: c.integer },
  { last: c.nullable(c.id), events: c.events },
)
const deleteNotifications = query(
  'accounts/domain_blocks/delete_notifications',
  { viewer: c.id, domain: c.text, before: c.id, limit: c.integer },
  { last: c.nullable(c.id), events: c.events },
)
const notifyViewer = query('accounts/domain_blocks/notify', { viewer: c.id, severance: c.id }, { events: c.events })

/** The number of rows that one transaction examines; of the viewer's own follows, that it ends. */
const BATCH_SIZE = 500
const HIGHEST_ID = '9223372036854775807'

interface Severing {
  readonly viewer: Id
  readonly domain: string
  readonly severance: Id
}

/** Processes one batch after the other, in descending order of ids. */
async function forEachBatch(signal: AbortSignal, batch: (before: Id) => Promise<Id | null | undefined>): Promise<void> {
  for (let before: Id | null = HIGHEST_ID; before !== null;) {
    signal.throwIfAborted()
    before = (await batch(before)) ?? null
  }
}

async function endFollowing(database: Database, signal: AbortSignal, what: Severing): Promise<void> {
  for (let ended = 1; ended > 0;) {
    signal.throwIfAborted()
    ended = (await database.one(severFollowing, { ...what, limit: BATCH_SIZE }))?.ended ?? 0
  }
}

/**
 * Ends all relationships between an account and a domain that it blocks, removes notifications from
 * there, and notifies the account if it lost any follows. Works in short transactions; can be
 * repeated after an interruption.
 */
export const sever = job<Severing, Services>(
  'domain_blocks.sever',
  parseSevering,
  async (what, { database }, { signal }) => {
    const { viewer, domain, severance } = what
    await endFollowing(database, signal, what)
    await forEachBatch(
      signal,
      async before => (await database.one(severFollowers, { ...what, before, limit: BATCH_SIZE }))?.last,
    )
    await forEachBatch(
      signal,
      async before => (await database.one(deleteNotifications, { viewer, domain, before, limit: BATCH_SIZE }))?.last,
    )
    await database.run(notifyViewer, { viewer, severance })
  },
)

function parseSevering(payload: unknown): Severing {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const viewer = 'viewer' in given && typeof given.viewer === 'string' ? parseId(given.viewer) : undefined
  const severance = 'severance' in given && typeof given.severance === 'string' ? parseId(given.severance) : undefined
  const domain = 'domain' in given && typeof given.domain === 'string' ? given.domain : undefined
  if (viewer === undefined || severance === undefined || domain === undefined)
    throw new Error('the payload has no account, domain or severance')
  return { viewer, domain, severance }
}
