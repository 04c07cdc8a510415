import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findCopied = query(
  'moderation/retention/copied_pictures',
  { after: c.id, before: c.timestamp, headers_only: c.boolean, include_follows: c.boolean },
  { id: c.id, acct: c.text },
)
const uncopy = query(
  'moderation/retention/uncopy_pictures',
  { ids: c.ids, headers_only: c.boolean, dry_run: c.boolean },
  { files: c.texts, kinds: c.texts, events: c.events },
)

/**
 * Shows the pictures of some remote accounts from their own servers again.
 * @returns keys of the copies, which are no longer shown, and of which pictures there can be copies
 */
export async function uncopyPictures(
  runner: Runner,
  ids: readonly Id[],
  { headersOnly = false, dryRun = false } = {},
): Promise<{ files: readonly string[]; kinds: readonly string[] }> {
  const [row] = await runner.run(uncopy, { ids: [...ids], headers_only: headersOnly, dry_run: dryRun })
  return { files: row?.files ?? [], kinds: row?.kinds ?? [] }
}

export interface PictureRemoval {
  /** Those of accounts that were fetched later are kept. */
  readonly before: Date
  /** Keeps avatars. */
  readonly headersOnly: boolean
  /** Also of accounts that somebody here follows, or that follow somebody here. */
  readonly includeFollows: boolean
  /** Nothing is removed. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with some accounts and the files of their pictures, before these are removed. */
  each(accounts: readonly string[], files: readonly string[]): Promise<void>
}

/**
 * Removes the copies of avatars and headers of remote accounts, in batches. The pictures are then
 * shown from their own servers, until the accounts are refreshed.
 * @throws the signal's reason
 */
export async function removeCopiedPictures(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  { before, headersOnly, includeFollows, dryRun = false, signal, each }: PictureRemoval,
): Promise<void> {
  for (let after = '0'; ;) {
    signal?.throwIfAborted()
    const rows = await database.run(findCopied, {
      after,
      before,
      headers_only: headersOnly,
      include_follows: includeFollows,
    })
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const ids = rows.map(({ id }) => id)
    const { files } = await uncopyPictures(database, ids, { headersOnly, dryRun })
    await each(
      rows.map(({ acct }) => acct),
      files,
    )
    if (!dryRun) for (const key of files) await storage.remove(key)
  }
}
