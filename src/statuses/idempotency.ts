import { createHash } from 'node:crypto'
import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'

const findPosted = query(
  'statuses/posted',
  { author: c.id, key: c.text },
  { status_id: c.nullable(c.id), scheduled_status_id: c.nullable(c.id) },
)

/** What posting came to: a status, or one that is to be posted later. */
export type Posted =
  | {
      readonly status: Id
      /** It was made now, not by an earlier request with the same key, and answers nothing. */
      readonly fresh: boolean
    }
  | { readonly scheduled: Id }
  /** It was dropped as spam, and its author is shown what it would have been. */
  | { readonly dropped: StatusFragment }

/** Index entries have a limit of 2,700 bytes, keys of clients have none. */
const MAX_KEY_LENGTH = 200

/**
 * Posts, with a key once in an hour: a repeat, also at the same time, gives what the first came to.
 * @param key the Idempotency-Key, '' for none
 * @param make posts, and stores the key that it is given
 */
export async function once(
  { database }: Services,
  viewer: Viewer,
  key: string,
  make: (key: string | null) => Promise<Posted>,
): Promise<Posted> {
  if (key === '') return make(null)
  const stored = key.length > MAX_KEY_LENGTH ? createHash('sha256').update(key).digest('hex') : key
  const findEarlier = async (): Promise<Posted | undefined> => {
    const row = await database.one(findPosted, { author: viewer.id, key: stored })
    if (!row) return undefined
    if (row.status_id !== null) return { status: row.status_id, fresh: false }
    return row.scheduled_status_id === null ? undefined : { scheduled: row.scheduled_status_id }
  }
  const earlier = await findEarlier()
  if (earlier !== undefined) return earlier
  try {
    return await make(stored)
  } catch (error) {
    // The first may have finished since, and taken what this one now misses: its files, or the key itself.
    const meanwhile = await findEarlier()
    if (meanwhile !== undefined) return meanwhile
    throw error
  }
}
