import { createHash } from 'node:crypto'
import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'

const findByIdempotencyKey = query(
  'statuses/by_idempotency_key',
  { author: c.id, key: c.text },
  { status_id: c.nullable(c.id), scheduled_status_id: c.nullable(c.id) },
)

/** The result of posting: a status, or a scheduled one. */
export type Posted =
  | {
      readonly status: Id
      /** Created by this request and not by an earlier one with the same key, and not a reply. */
      readonly fresh: boolean
    }
  | { readonly scheduled: Id }
  /** It was dropped as spam; its author is shown the status as if it had been posted. */
  | { readonly dropped: StatusFragment }

/** Index entries are limited to 2,700 bytes, while the keys of clients are not. */
const MAX_KEY_LENGTH = 200

/**
 * Makes posting idempotent for an hour: a repeated or concurrent request with the same key returns
 * the first result.
 * @param key the Idempotency-Key, '' for none
 * @param make posts and stores the key that it is given, or fails when the key is stored already
 */
export async function idempotently(
  { database }: Services,
  viewer: Viewer,
  key: string,
  make: (key: string | null) => Promise<Posted>,
): Promise<Posted> {
  if (key === '') return make(null)
  const stored = key.length > MAX_KEY_LENGTH ? createHash('sha256').update(key).digest('hex') : key
  const findEarlier = async (): Promise<Posted | undefined> => {
    const row = await database.one(findByIdempotencyKey, { author: viewer.id, key: stored })
    if (!row) return undefined
    if (row.status_id !== null) return { status: row.status_id, fresh: false }
    return row.scheduled_status_id === null ? undefined : { scheduled: row.scheduled_status_id }
  }
  try {
    return await make(stored)
  } catch (error) {
    // An earlier request may have stored the key, or attached the files that are missing now. It is
    // looked up only after the failure, because nearly every key is new, and `make` stores nothing
    // for a known key.
    const earlier = await findEarlier()
    if (earlier !== undefined) return earlier
    throw error
  }
}
