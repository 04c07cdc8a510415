import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'

const lock = query(
  'accounts/collections/lock',
  { collection: c.id },
  {
    id: c.id,
    account_id: c.id,
    name: c.text,
    description: c.nullable(c.text),
    language: c.nullable(c.text),
    tag_id: c.nullable(c.id),
    sensitive: c.boolean,
    discoverable: c.boolean,
  },
)

const lockPairs = query('accounts/collections/lock_members', { curator: c.id, accounts: c.ids }, { locks: c.integer })

export type CollectionFields = Row<typeof lock.columns>

/**
 * The viewer's collection, locked until the end of the transaction.
 * @throws ApiError notFound if it does not exist, notAllowed if it belongs to another account
 */
export async function lockOwn(transaction: Runner, viewer: Id, collection: Id): Promise<CollectionFields> {
  const found = await transaction.one(lock, { collection })
  if (!found) throw new ApiError('notFound')
  if (found.account_id !== viewer) throw new ApiError('notAllowed')
  return found
}

/**
 * Locks the relations of a curator with accounts that are being added until the end of the
 * transaction: a block at the same time is either seen, or finds them in the collection.
 */
export async function lockMembers(transaction: Runner, curator: Id, accounts: readonly Id[]): Promise<void> {
  await transaction.run(lockPairs, { curator, accounts: [...accounts] })
}
