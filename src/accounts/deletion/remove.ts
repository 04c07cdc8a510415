import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'

const hide = query(
  'accounts/deletion/hide',
  { account: c.id, only_unrelated: c.boolean },
  { id: c.id, events: c.events },
)
const REMOVED = { removed: c.integer, events: c.events } as const
const removeFollows = query('accounts/deletion/follows', { account: c.id }, REMOVED)
const removeStatuses = query(
  'accounts/deletion/statuses',
  { account: c.id, keeps_evidence: c.boolean },
  { ...REMOVED, withheld: c.integer },
)
const removeFavourites = query('accounts/deletion/favourites', { account: c.id }, REMOVED)
const removeAttachments = query(
  'accounts/deletion/attachments',
  { account: c.id, keeps_evidence: c.boolean },
  { keys: c.texts },
)
const releaseReplies = query('accounts/deletion/replies', { account: c.id }, REMOVED)
const leaveConversations = query(
  'accounts/deletion/conversations',
  { account: c.id, before: c.nullable(c.id) },
  { last: c.nullable(c.id), events: c.events },
)
const clear = query('accounts/deletion/clear', { account: c.id }, { removed: c.integer })
const end = query(
  'accounts/deletion/end',
  { account: c.id, frees_name: c.boolean, may_return: c.boolean },
  { files: c.texts, events: c.events },
)

export interface Removal {
  readonly account: Id
  /** Deletes the account row too, so that its name can be used again. */
  readonly freesName: boolean
  /**
   * Of a kept row of another server's account: it then counts as suspended by that server, which
   * may end that, instead of as deleted for good. Not if it is suspended here. Default false.
   */
  readonly mayReturn?: boolean
  /**
   * Of another server's account: nothing is removed if something stored refers to it. Default
   * false.
   */
  readonly onlyUnrelated?: boolean
}

/** Reports the progress of a removal, and interrupts it. */
export interface RemovalProgress {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of rows of each batch. */
  readonly each?: (removed: number) => void
}

/** Repeats a batch until nothing is left. @throws the signal's reason */
async function repeatUntilEmpty(batch: () => Promise<number>, signal: AbortSignal | undefined): Promise<void> {
  do signal?.throwIfAborted()
  while ((await batch()) > 0)
}

/** Takes an account, whose row is to be deleted, out of the conversations of others. */
async function leaveAllConversations(
  { database }: Services,
  account: Id,
  signal: AbortSignal | undefined,
): Promise<void> {
  let before: Id | null = null
  do {
    signal?.throwIfAborted()
    before = (await database.one(leaveConversations, { account, before }))?.last ?? null
  } while (before !== null)
}

/**
 * Deletes all data of and about an account except the account row and its user, in short
 * transactions, so that events are not delayed. After an interruption the data are consistent, and
 * another run continues.
 * @param freesName whether the account row is deleted afterwards. If not, statuses of open reports
 * are only hidden, until these are resolved
 */
export async function emptyAccount(
  services: Services,
  account: Id,
  { signal, each, freesName = false }: RemovalProgress & { readonly freesName?: boolean } = {},
): Promise<void> {
  const { database } = services
  const reported = { account, keeps_evidence: !freesName }
  const removeAll = (batch: () => Promise<number>): Promise<void> =>
    repeatUntilEmpty(async () => {
      const removed = await batch()
      each?.(removed)
      return removed
    }, signal)
  // In this order: other accounts' counters and readers are updated with each batch.
  await removeAll(async () => (await database.one(removeFollows, { account }))?.removed ?? 0)
  await removeAll(async () => (await database.one(removeStatuses, reported))?.removed ?? 0)
  await removeAll(async () => (await database.one(removeFavourites, { account }))?.removed ?? 0)
  const removeFilesToo = (): Promise<number> =>
    database.transaction(async transaction => {
      const rows = await transaction.run(removeAttachments, reported)
      if (rows.length > 0) await enqueue(transaction, removeFiles, { keys: rows.flatMap(row => row.keys) })
      return rows.length
    })
  await removeAll(removeFilesToo)
  if (freesName) {
    await removeAll(async () => (await database.one(releaseReplies, { account }))?.removed ?? 0)
    await leaveAllConversations(services, account, signal)
  }
  await removeAll(async () => (await database.one(clear, { account }))?.removed ?? 0)
}

/**
 * Deletes an account's user and all data of and about the account. It is hidden first. Repeating it
 * is harmless.
 */
export async function removeAccount(
  services: Services,
  { account, freesName, mayReturn = false, onlyUnrelated = false }: Removal,
  progress: RemovalProgress = {},
): Promise<void> {
  const { database } = services
  if (!(await database.one(hide, { account, only_unrelated: onlyUnrelated }))) return
  await emptyAccount(services, account, { ...progress, freesName })
  await database.transaction(async transaction => {
    const ended = await transaction.one(end, { account, frees_name: freesName, may_return: mayReturn })
    if (ended && ended.files.length > 0) await enqueue(transaction, removeFiles, { keys: ended.files })
  })
}

const parsePayload = (payload: unknown): Removal => ({
  account: idIn(payload, 'account'),
  freesName: memberOf(payload, 'freesName') === true,
  mayReturn: memberOf(payload, 'mayReturn') === true,
})

export const accountRemoval = job<Removal, Services>(
  'account_removal.remove',
  parsePayload,
  (removal, services, { signal }) => removeAccount(services, removal, { signal }),
)

/**
 * Hides an account in the caller's transaction, and enqueues its deletion.
 * @param at not before this time
 */
export async function requestRemoval(transaction: Runner, removal: Removal, at?: Date): Promise<void> {
  await transaction.run(hide, { account: removal.account, only_unrelated: false })
  await enqueue(transaction, accountRemoval, removal, {
    key: `account_removal:${removal.account}`,
    ...(at && { at }),
  })
}
