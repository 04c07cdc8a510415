import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findCached = query(
  'moderation/retention/cached_attachments',
  { after: c.id, before: c.timestamp, keep_interacted: c.boolean },
  { id: c.id, files: c.texts },
)
const countCached = query('moderation/retention/count_cached', { before: c.timestamp }, { number: c.integer })
const markUncached = query('moderation/retention/mark_uncached', { ids: c.ids, keys: c.texts }, { events: c.events })
const findCardImages = query(
  'moderation/retention/card_images',
  { after: c.id, before: c.timestamp, links_only: c.boolean },
  { id: c.id, image_key: c.text },
)
const forgetCardImages = query(
  'moderation/retention/forget_card_images',
  { ids: c.ids, keys: c.texts },
  { events: c.events },
)

/** The number of copies of remote attachments that are older than a time. */
export const countCachedMedia = async (database: Database, before: Date): Promise<number> =>
  (await database.one(countCached, { before }))?.number ?? 0

export interface MediaRemoval {
  /** Older copies are removed. */
  readonly before: Date
  /** Nothing is removed. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with the files of some records before they are removed. */
  each?(records: readonly { id: Id; files: readonly string[] }[]): Promise<void>
}

export interface CachedMediaRemoval extends MediaRemoval {
  /** Keeps those of statuses that somebody here has interacted with. */
  readonly keepInteracted?: boolean
}

/** Removes the copies of remote attachments; those that were copied again meanwhile are kept. */
async function forgetCopies(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  attachments: readonly { readonly id: Id; readonly files: readonly string[] }[],
): Promise<void> {
  for (const { files } of attachments) for (const key of files) await storage.remove(key)
  await database.run(markUncached, {
    ids: attachments.map(({ id }) => id),
    keys: attachments.map(({ files }) => files[0] ?? ''),
  })
}

/**
 * Removes copies of remote attachments in batches; statuses still have the remote URLs, from which
 * the files can be fetched again.
 * @throws the signal's reason
 */
export async function removeCachedMedia(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  { before, dryRun = false, keepInteracted = false, signal, each }: CachedMediaRemoval,
): Promise<void> {
  for (let after = '0'; ;) {
    signal?.throwIfAborted()
    const rows = await database.run(findCached, { after, before, keep_interacted: keepInteracted })
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    await each?.(rows)
    if (dryRun) continue
    await forgetCopies({ database, storage }, rows)
  }
}

export interface CardImageRemoval extends MediaRemoval {
  /** Leaves out the pictures of videos and photos. */
  readonly linksOnly?: boolean
}

/**
 * Removes copies of link preview pictures that were fetched before a time, in batches.
 * @throws the signal's reason
 */
export async function removeCardImages(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  { before, dryRun = false, linksOnly = false, signal, each }: CardImageRemoval,
): Promise<void> {
  for (let after = '0'; ;) {
    signal?.throwIfAborted()
    const rows = await database.run(findCardImages, { after, before, links_only: linksOnly })
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    await each?.(rows.map(({ id, image_key: key }) => ({ id, files: [key] })))
    if (dryRun) continue
    for (const { image_key: key } of rows) await storage.remove(key)
    await database.run(forgetCardImages, {
      ids: rows.map(({ id }) => id),
      keys: rows.map(({ image_key: key }) => key),
    })
  }
}
