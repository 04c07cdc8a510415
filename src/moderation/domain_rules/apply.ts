import { emptyAccount } from '../../accounts/deletion/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, idIn, job } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsOf, domainIn, inBatches } from './accounts.ts'
import { removeEmojis } from './emojis.ts'

const findExtent = query(
  'moderation/domain_rules/extent',
  { rule: c.id },
  { suspends: c.boolean, rejects_media: c.boolean },
)
const limit = query('moderation/domain_rules/limit', { rule: c.id, ids: c.ids }, { suspended: c.ids, events: c.events })
const sever = query('moderation/domain_rules/sever', { rule: c.id, ids: c.ids }, { events: c.events })
const notifyUsers = query(
  'moderation/domain_rules/notify',
  { rule: c.id, after: c.id, limit: c.integer },
  { last: c.nullable(c.id), events: c.events },
)
const removePictures = query(
  'moderation/domain_rules/remove_pictures',
  { ids: c.ids },
  { files: c.texts, events: c.events },
)

const NOTIFY_BATCH = 500

interface Applying {
  readonly domain: string
  readonly rule: Id
}

async function notifyAll({ database }: Services, rule: Id, signal: AbortSignal): Promise<void> {
  for (let after: Id | null = '0'; after !== null;) {
    signal.throwIfAborted()
    const batch: { last: Id | null } | undefined = await database.one(notifyUsers, { rule, after, limit: NOTIFY_BATCH })
    after = batch?.last ?? null
  }
}

const dropPictures = ({ database }: Services, ids: Id[]): Promise<void> =>
  database.transaction(async transaction => {
    const removed = await transaction.one(removePictures, { ids })
    if (removed && removed.files.length > 0) await enqueue(transaction, removeFiles, { keys: removed.files })
  })

/**
 * Applies a rule to known accounts: limits them, or suspends them. Suspended accounts lose their
 * posts and their relationships with local accounts, which are notified. Works in short
 * transactions; can be repeated after an interruption, and does nothing once the rule is deleted.
 */
export const applyRule = job<Applying, Services>(
  'moderated_domains.apply',
  parseApplying,
  async ({ domain, rule }, services, { signal }) => {
    const { database } = services
    const extent = await database.one(findExtent, { rule })
    if (!extent) return
    const suspended: Id[] = []
    const known = await accountsOf(database, domain, true)
    await inBatches(known, signal, async ids => {
      suspended.push(...((await database.one(limit, { rule, ids }))?.suspended ?? []))
    })
    await inBatches(suspended, signal, ids => database.run(sever, { rule, ids }))
    await notifyAll(services, rule, signal)
    if (extent.suspends) for (const account of suspended) await emptyAccount(services, account, { signal })
    const bare = extent.suspends ? suspended : extent.rejects_media ? known : []
    await inBatches(bare, signal, ids => dropPictures(services, ids))
    if (extent.suspends || extent.rejects_media) await removeEmojis(services, domain, true)
  },
)

function parseApplying(payload: unknown): Applying {
  return { domain: domainIn(payload), rule: idIn(payload, 'rule') }
}
