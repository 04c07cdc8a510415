import { c, query } from '../../platform/database/index.ts'
import { enqueue, job, type Job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { deletionOf, sendLater } from '../send/index.ts'
import { actorUri } from '../protocol/index.ts'

const findAccounts = query('federation/self_destruct/accounts', { limit: c.integer }, { id: c.id })
const findInboxes = query('federation/self_destruct/inboxes', {}, { inbox: c.text })
const markSent = query('federation/self_destruct/mark_sent', { accounts: c.ids }, {})
const countWaiting = query('federation/self_destruct/waiting', { limit: c.integer }, { amount: c.integer })

const PORTION = 20
/** While so many batches of deliveries wait, no more are added: each is a row with its body. */
const MAX_WAITING = 2000
const PAUSE_MS = 10_000
const NAME = 'federation.tell_of_deletions'

/** Sends the deletions of some accounts; false when there are none left. */
async function tellOfSome({ database, config }: Services, inboxes: readonly string[]): Promise<boolean> {
  return database.transaction(async transaction => {
    const accounts = (await transaction.run(findAccounts, { limit: PORTION })).map(({ id }) => id)
    for (const account of accounts) {
      const actor = actorUri(config.publicUrl, account)
      await sendLater(transaction, { sender: account, object: actor, activity: deletionOf(actor), inboxes })
    }
    await transaction.run(markSent, { accounts })
    return accounts.length === PORTION
  })
}

/** Tells all known servers that the accounts of this one are deleted, a few accounts at a time. */
export const tellOfDeletions: Job<null, Services> = job(
  NAME,
  () => null,
  async (_, services: Services, { signal }) => {
    const { database } = services
    const inboxes = (await database.run(findInboxes, {})).map(({ inbox }) => inbox)
    for (let more = true; more;) {
      signal.throwIfAborted()
      const waiting = (await database.one(countWaiting, { limit: MAX_WAITING }))?.amount ?? 0
      if (waiting >= MAX_WAITING)
        return enqueue(database, tellOfDeletions, null, { at: new Date(Date.now() + PAUSE_MS), key: NAME })
      more = await tellOfSome(services, inboxes)
    }
  },
)

/** Begins to tell of the deletions, or goes on, when the server runs to end for good. */
export async function startTelling({ config, database }: Services): Promise<void> {
  if (config.selfDestruct !== undefined) await enqueue(database, tellOfDeletions, null, { key: NAME })
}
