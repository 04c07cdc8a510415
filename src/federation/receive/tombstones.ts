import { c, query, type Runner } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { isStorableUri } from '../protocol/index.ts'

const find = query('federation/receive/has_tombstone', { uris: c.texts }, { gone: c.boolean })
const store = query('federation/receive/store_tombstone', { uri: c.text }, {})
const removeOld = query('federation/receive/remove_tombstones', {}, { removed: c.integer })

/**
 * Whether an object with one of these URIs was deleted or undone, perhaps before it arrived.
 * @param prefetched rows that were read before; used when they include all URIs
 */
export async function hasTombstone(
  runner: Runner,
  uris: readonly (string | undefined)[],
  prefetched?: ReadonlyMap<string, boolean>,
): Promise<boolean> {
  const present = uris.filter(uri => uri !== undefined)
  if (prefetched && present.every(uri => prefetched.has(uri))) return present.some(uri => prefetched.get(uri))
  return present.length > 0 && ((await runner.one(find, { uris: present }))?.gone ?? false)
}

/** Records that the object with this URI is gone: if it arrives within six hours, it is ignored. */
export async function storeTombstone(runner: Runner, uri: string | undefined): Promise<void> {
  if (uri !== undefined && isStorableUri(uri)) await runner.run(store, { uri })
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
