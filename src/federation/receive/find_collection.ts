import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { isStorableUri } from '../protocol/index.ts'

const find = query(
  'federation/receive/collection_by_uri',
  { curator: c.id, uri: c.text, item_uri: c.nullable(c.text), account: c.nullable(c.id) },
  { id: c.id, item: c.nullable(c.id) },
)

/** Names an item of a collection: by its URI at the curator's server, or by the account. */
interface ItemReference {
  readonly uri?: string | undefined
  readonly account?: Id | undefined
}

/** The stored collection of a remote account that has this URI, and the item in it. */
export async function findCollection(
  runner: Runner,
  curator: Id,
  uri: string,
  item: ItemReference = {},
): Promise<{ readonly id: Id; readonly item: Id | null } | undefined> {
  if (!isStorableUri(uri)) return undefined
  return runner.one(find, { curator, uri, item_uri: item.uri ?? null, account: item.account ?? null })
}
