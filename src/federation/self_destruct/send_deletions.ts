import { c, query } from '../../platform/database/index.ts'
import { enqueue, job, type Job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { deleteActivity, sendLowPriority } from '../send/index.ts'
import { actorUri } from '../protocol/index.ts'

const findAccounts = query('federation/self_destruct/accounts', { limit: c.integer }, { id: c.id })
const findInboxes = query('federation/self_destruct/inboxes', {}, { inbox: c.text })
const markSent = query('federation/self_destruct/mark_sent', { accounts: c.ids }, {})
const countWaiting = query('federation/self_destruct/count_waiting', { limit: c.integer }, { amount: c.integer })

const BATCH_SIZE = 20
/** The maximum number of waiting batches of deliveries, each of which is a row with its body. */
const MAX_WAITING = 2000
const PAUSE_MS = 10_000
const NAME = 'federation.send_deletions'

/** Sends the deletions of some accounts; false when there are none left. */
async function sendBatch({ database, config }: Services, inboxes: readonly string[]): Promise<boolean> {
  return database.transaction(async transaction => {
    const accounts = (await transaction.run(findAccounts, { limit: BATCH_SIZE })).map(({ id }) => id)
    for (const account of accounts) {
      const actor = actorUri(config.publicUrl, account)
      await sendLowPriority(transaction, { sender: account, object: actor, activity: deleteActivity(actor), inboxes })
    }
    await transaction.run(markSent, { accounts })
    return accounts.length === BATCH_SIZE
  })
}

/** Sends all known servers the deletions of all local accounts, in batches. */
export const sendDeletions: Job<null, Services> = job(
  NAME,
  () => null,
  async (_, services: Services, { signal }) => {
    const { database } = services
    const inboxes = (await database.run(findInboxes, {})).map(({ inbox }) => inbox)
    for (let more = true; more;) {
      signal.throwIfAborted()
      const waiting = (await database.one(countWaiting, { limit: MAX_WAITING }))?.amount ?? 0
      if (waiting >= MAX_WAITING)
        return enqueue(database, sendDeletions, null, { at: new Date(Date.now() + PAUSE_MS), key: NAME })
      more = await sendBatch(services, inboxes)
    }
  },
)

/** Starts or resumes sending the deletions if the server runs with SELF_DESTRUCT. */
export async function startSendingDeletions({ config, database }: Services): Promise<void> {
  if (config.selfDestruct !== undefined) await enqueue(database, sendDeletions, null, { key: NAME })
}
