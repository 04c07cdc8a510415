import { c, query, type Runner } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Id } from '../../core/id.ts'
import { isStorableUri } from '../protocol/index.ts'
import type { Prefetched } from './incoming_activity.ts'

const find = query('federation/receive/has_tombstone', { author: c.id, uris: c.texts }, { gone: c.boolean })
const store = query('federation/receive/store_tombstone', { author: c.id, uri: c.text }, {})
const storeActor = query('federation/receive/store_deleted_actor', { uri: c.text }, {})
const removeOld = query('federation/receive/remove_tombstones', {}, { removed: c.integer })

/**
 * Whether the author deleted or undid an object with one of these URIs, perhaps before it arrived;
 * or whether it is a status that was deleted here. What others of its server say does not count.
 * @param prefetched rows that were read before; used when they include all URIs
 */
export async function hasTombstone(
  runner: Runner,
  author: Id,
  uris: readonly (string | undefined)[],
  prefetched?: Prefetched['gone'],
): Promise<boolean> {
  const present = uris.filter(uri => uri !== undefined)
  const read = prefetched && present.flatMap(uri => prefetched.get(uri) ?? [])
  if (read?.length === present.length) return read.some(gone => gone.has(null) || gone.has(author))
  return present.length > 0 && ((await runner.one(find, { author, uris: present }))?.gone ?? false)
}

/**
 * Records that an author's object with this URI is gone: if the author sends it within six hours,
 * it is ignored.
 */
export async function storeTombstone(runner: Runner, author: Id, uri: string | undefined): Promise<void> {
  if (uri !== undefined && isStorableUri(uri)) await runner.run(store, { author, uri })
}

/** Records that the actor with this URI has deleted itself: it does not come back for six hours. */
export async function storeDeletedActor(runner: Runner, uri: string): Promise<void> {
  if (isStorableUri(uri)) await runner.run(storeActor, { uri })
}

/** Deletes expired tombstones, once an hour. */
export const removeTombstones = job<undefined, Services>(
  'federation.remove_tombstones',
  () => undefined,
  async (_, { database }) => {
    await database.run(removeOld, {})
  },
  { cron: '41 * * * *' },
)
