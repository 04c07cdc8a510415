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
const limit = query(
  'moderation/domain_rules/limit',
  { rule: c.id, ids: c.ids },
  { suspended: c.ids, included: c.ids, events: c.events },
)
const sever = query(
  'moderation/domain_rules/sever',
  { rule: c.id, ids: c.ids, limit: c.integer },
  { ended: c.integer, events: c.events },
)
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
const removeAttachments = query(
  'moderation/domain_rules/remove_attachments',
  { account: c.id },
  { removed: c.integer, files: c.texts, events: c.events },
)

const NOTIFY_BATCH = 500
/** The number of follows in each direction that one transaction ends. */
const SEVER_BATCH = 500

interface Applying {
  readonly domain: string
  readonly rule: Id
}

async function severAll({ database }: Services, rule: Id, ids: Id[], signal: AbortSignal): Promise<void> {
  for (let ended = 1; ended > 0;) {
    signal.throwIfAborted()
    ended = (await database.one(sever, { rule, ids, limit: SEVER_BATCH }))?.ended ?? 0
  }
}

async function notifyAll({ database }: Services, rule: Id, signal: AbortSignal): Promise<void> {
  for (let after: Id | null = '0'; after !== null;) {
    signal.throwIfAborted()
    const batch: { last: Id | null } | undefined = await database.one(notifyUsers, { rule, after, limit: NOTIFY_BATCH })
    after = batch?.last ?? null
  }
}

/** Removes the cached avatars and headers of some accounts. */
const dropPictures = ({ database }: Services, ids: Id[]): Promise<void> =>
  database.transaction(async transaction => {
    const removed = await transaction.one(removePictures, { ids })
    if (removed && removed.files.length > 0) await enqueue(transaction, removeFiles, { keys: removed.files })
  })

/** Removes the cached files of a batch of attachments of an account; their number. */
const dropSomeAttachments = ({ database }: Services, account: Id): Promise<number> =>
  database.transaction(async transaction => {
    const dropped = await transaction.one(removeAttachments, { account })
    if (dropped && dropped.files.length > 0) await enqueue(transaction, removeFiles, { keys: dropped.files })
    return dropped?.removed ?? 0
  })

async function dropAttachments(services: Services, accounts: readonly Id[], signal: AbortSignal): Promise<void> {
  for (const account of accounts)
    for (let dropped = 1; dropped > 0;) {
      signal.throwIfAborted()
      dropped = await dropSomeAttachments(services, account)
    }
}

/**
 * Deletes what a rule says of these accounts: of suspended ones everything, of others the files.
 * What is deleted cannot be restored, so it ends as soon as the rule is lifted or made milder.
 */
async function deleteData(
  services: Services,
  { domain, rule }: Applying,
  { suspended, included }: { readonly suspended: readonly Id[]; readonly included: readonly Id[] },
  signal: AbortSignal,
): Promise<void> {
  const { database } = services
  const suspends = async (): Promise<boolean> => (await database.one(findExtent, { rule }))?.suspends === true
  const rejectsMedia = async (): Promise<boolean> => (await database.one(findExtent, { rule }))?.rejects_media === true
  if (await suspends()) {
    for (const account of suspended) {
      if (!(await suspends())) return
      await emptyAccount(services, account, { signal })
    }
    await inBatches(suspended, signal, async ids => (await suspends()) && dropPictures(services, ids))
  } else if (await rejectsMedia())
    await inBatches(included, signal, async ids => {
      if (!(await rejectsMedia())) return
      await dropPictures(services, ids)
      await dropAttachments(services, ids, signal)
    })
  else return
  await removeEmojis(services, { domain, below: true, rule })
}

/**
 * Applies a rule to known accounts: limits them, or suspends them. Suspended accounts lose their
 * posts and their relationships with local accounts, which are notified. Works in short
 * transactions; can be repeated after an interruption, and does nothing once the rule is deleted.
 */
export const applyRule = job<Applying, Services>(
  'moderated_domains.apply',
  parseApplying,
  async (applying, services, { signal }) => {
    const { database } = services
    const { domain, rule } = applying
    if (!(await database.one(findExtent, { rule }))) return
    const suspended: Id[] = []
    const included: Id[] = []
    await inBatches(await accountsOf(database, domain, true), signal, async ids => {
      const limited = await database.one(limit, { rule, ids })
      suspended.push(...(limited?.suspended ?? []))
      included.push(...(limited?.included ?? []))
    })
    await inBatches(suspended, signal, ids => severAll(services, rule, ids, signal))
    await notifyAll(services, rule, signal)
    await deleteData(services, applying, { suspended, included }, signal)
  },
)

function parseApplying(payload: unknown): Applying {
  return { domain: domainIn(payload), rule: idIn(payload, 'rule') }
}
