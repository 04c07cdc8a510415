import { c, query, type Runner } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { isBounded } from './references.ts'

const find = query('federation/receive/has_tombstone', { uris: c.texts }, { gone: c.boolean })
const store = query('federation/receive/store_tombstone', { uri: c.text }, {})
const removeOld = query('federation/receive/remove_tombstones', {}, { removed: c.integer })

/**
 * Whether one of these was deleted or undone, maybe before it came.
 * @param prefetched what was read before; it counts when it has all
 */
export async function hasTombstone(
  runner: Runner,
  uris: readonly (string | undefined)[],
  prefetched?: ReadonlyMap<string, boolean>,
): Promise<boolean> {
  const given = uris.filter(uri => uri !== undefined)
  if (prefetched && given.every(uri => prefetched.has(uri))) return given.some(uri => prefetched.get(uri))
  return given.length > 0 && ((await runner.one(find, { uris: given }))?.gone ?? false)
}

/** Records that the object with this URI is gone: if it arrives within six hours, it is ignored. */
export async function storeTombstone(runner: Runner, uri: string | undefined): Promise<void> {
  if (uri !== undefined && isBounded(uri)) await runner.run(store, { uri })
}

/** Once an hour. */
export const removeTombstones = job<undefined, Services>(
  'federation.remove_tombstones',
  () => undefined,
  async (_, { database }) => {
    await database.run(removeOld, {})
  },
  { cron: '41 * * * *' },
)
