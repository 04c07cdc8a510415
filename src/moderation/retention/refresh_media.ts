import { ApiError } from '../../core/errors.ts'
import { forEachConcurrently } from '../../core/for_each_concurrently.ts'
import type { Id } from '../../core/id.ts'
import { copyRemote } from '../../media/attachments/index.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findMedia = query(
  'moderation/retention/refreshable_media',
  {
    status: c.nullable(c.id),
    account: c.nullable(c.id),
    domain: c.nullable(c.text),
    since: c.nullable(c.timestamp),
    forced: c.boolean,
    after: c.id,
  },
  { id: c.id, type: c.text, remote_url: c.nullable(c.text), acct: c.nullable(c.text), files: c.texts },
)
const findCopy = query('moderation/retention/copied_bytes', { id: c.id }, { bytes: c.bigint })

/** An attachment of another server. */
export type RefreshableMedia = Row<typeof findMedia.columns>

/** Which attachments of other servers are copied again. */
export interface MediaSource {
  readonly status: Id | null
  readonly account: Id | null
  readonly domain: string | null
  /** Those of posts that arrived since. */
  readonly since: Date | null
  /** Also those that have a copy. */
  readonly forced: boolean
}

/** Reads the attachments of a source, in the order of their ids. */
async function* listRefreshableMedia(database: Database, source: MediaSource): AsyncGenerator<RefreshableMedia> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(findMedia, { ...source, after })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

interface MediaRefresh {
  readonly source: MediaSource
  readonly concurrency: number
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called after each, with the size of the new copy; undefined when there is none. */
  each(media: RefreshableMedia, bytes: number | undefined): Promise<void> | void
}

/**
 * Copies attachments of other servers again. An older copy stays unless there is a new one.
 * @throws the signal's reason
 */
export async function refreshMedia(
  services: Services,
  { source, concurrency, dryRun = false, signal, each }: MediaRefresh,
): Promise<void> {
  const { database } = services
  await forEachConcurrently(listRefreshableMedia(database, source), concurrency, async media => {
    signal?.throwIfAborted()
    const { id, type, remote_url: url, files } = media
    if (dryRun) return each(media, 0)
    const attachment = { id, type, remote_url: url ?? '', replaced: files }
    const isCopied = await copyRemote(services, attachment, { each: true }).catch((error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    })
    return each(media, isCopied ? Number((await database.one(findCopy, { id }))?.bytes ?? 0) : undefined)
  })
}
