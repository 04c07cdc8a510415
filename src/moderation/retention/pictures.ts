import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findCopied = query(
  'moderation/retention/copied_pictures',
  { after: c.id, before: c.timestamp, headers_only: c.boolean, include_follows: c.boolean },
  { id: c.id, acct: c.text },
)
const uncopy = query(
  'moderation/retention/uncopy_pictures',
  { ids: c.ids, headers_only: c.boolean, dry_run: c.boolean },
  { files: c.texts, events: c.events },
)

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
    const files = (await database.one(uncopy, { ids, headers_only: headersOnly, dry_run: dryRun }))?.files ?? []
    await each(
      rows.map(({ acct }) => acct),
      files,
    )
    if (!dryRun) for (const key of files) await storage.remove(key)
  }
}
