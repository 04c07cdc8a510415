import { c, query, type Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findCached = query(
  'moderation/retention/cached_attachments',
  { after: c.id, before: c.timestamp },
  { id: c.id, files: c.texts },
)
const countCached = query('moderation/retention/count_cached', { before: c.timestamp }, { number: c.integer })
const markUncached = query('moderation/retention/mark_uncached', { ids: c.ids }, { events: c.events })
const dropCardImages = query(
  'moderation/retention/remove_card_images',
  { before: c.timestamp, limit: c.integer },
  { files: c.texts, events: c.events },
)

const IMAGES_AT_ONCE = 200

/** The number of copies of remote attachments that are older than a time. */
export const countCachedMedia = async (database: Database, before: Date): Promise<number> =>
  (await database.one(countCached, { before }))?.number ?? 0

export interface MediaRemoval {
  /** Older copies are removed. */
  readonly before: Date
  /** Nothing is removed. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with the files of some attachments before they are removed. */
  each?(attachments: readonly { files: readonly string[] }[]): Promise<void>
}

/**
 * Removes copies of remote attachments in batches; statuses still have the remote URLs, from which
 * the files can be fetched again.
 * @throws the signal's reason
 */
export async function removeCachedMedia(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  { before, dryRun = false, signal, each }: MediaRemoval,
): Promise<void> {
  for (let after = '0'; ;) {
    signal?.throwIfAborted()
    const rows = await database.run(findCached, { after, before })
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    await each?.(rows)
    if (dryRun) continue
    for (const { files } of rows) for (const key of files) await storage.remove(key)
    await database.run(markUncached, { ids: rows.map(row => row.id) })
  }
}

/**
 * Removes copies of link preview pictures that were fetched before a time. @throws the signal's
 * reason
 */
export async function removeCardImages(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  for (let found = IMAGES_AT_ONCE; found === IMAGES_AT_ONCE;) {
    signal.throwIfAborted()
    const files = (await database.one(dropCardImages, { before, limit: IMAGES_AT_ONCE }))?.files ?? []
    for (const key of files) await storage.remove(key)
    found = files.length
  }
}
