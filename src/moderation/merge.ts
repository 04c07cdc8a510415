import type { Id } from '../core/id.ts'
import { c, query, type Row } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'

const find = query(
  'moderation/mergeable_account',
  { username: c.text, domain: c.text },
  { id: c.id, public_key: c.text, files: c.texts },
)
const mergeBoth = query(
  'moderation/merge_accounts',
  { source: c.id, target: c.id, name: c.text, moderator: c.nullable(c.id) },
  { entry: c.nullable(c.id), events: c.events },
)

/** Why two accounts are not merged. */
export type MergeObstacle = 'unknown_source' | 'unknown_target' | 'same_account' | 'other_key'

const findRemote = (
  { database }: Pick<Services, 'database'>,
  handle: string,
): Promise<Row<typeof find.columns> | undefined> => {
  const [username = '', domain = ''] = handle.split('@')
  return database.one(find, { username, domain })
}

interface Merge {
  /** The handles, without a leading @. */
  readonly from: string
  readonly to: string
  /** Whether accounts with different public keys are merged. */
  readonly force: boolean
  /** null for the operator. */
  readonly moderator: Id | null
}

/**
 * Merges a remote account into another one, when the same person is known under two handles.
 * @returns what is in the way; undefined when they were merged
 */
export async function mergeAccounts(
  services: Pick<Services, 'database' | 'storage'>,
  { from, to, force, moderator }: Merge,
): Promise<MergeObstacle | undefined> {
  const [source, target] = [await findRemote(services, from), await findRemote(services, to)]
  if (!source) return 'unknown_source'
  if (!target) return 'unknown_target'
  if (source.id === target.id) return 'same_account'
  if (source.public_key !== target.public_key && !force) return 'other_key'
  await services.database.one(mergeBoth, { source: source.id, target: target.id, name: `${from} → ${to}`, moderator })
  for (const key of source.files) await services.storage.remove(key)
  return undefined
}
