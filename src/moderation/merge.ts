import type { Id } from '../core/id.ts'
import { storedDomain } from '../core/parse_url.ts'
import { c, query, type Row, type Runner } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'

const lockBoth = query(
  'moderation/lock_mergeable',
  { username: c.text, domain: c.text, other_username: c.text, other_domain: c.text },
  { id: c.id, public_key: c.text, is_first: c.boolean, is_second: c.boolean, files: c.texts },
)
const mergeBoth = query(
  'moderation/merge_accounts',
  { source: c.id, target: c.id, name: c.text, moderator: c.nullable(c.id) },
  { entry: c.nullable(c.id), events: c.events },
)

/** Why two accounts are not merged. */
export type MergeObstacle = 'unknown_source' | 'unknown_target' | 'same_account' | 'other_key'

interface Merge {
  /** The handles, without a leading @. */
  readonly from: string
  readonly to: string
  /** Whether accounts with different public keys are merged. */
  readonly force: boolean
  /** null for the operator. */
  readonly moderator: Id | null
}

interface Locked {
  readonly source: Row<typeof lockBoth.columns> | undefined
  readonly target: Row<typeof lockBoth.columns> | undefined
}

/** Both accounts, if there are such, as they stay until the end of the transaction. */
async function lockAccounts(transaction: Runner, { from, to }: Merge): Promise<Locked> {
  const [username = '', domain = ''] = from.split('@')
  const [other_username = '', other_domain = ''] = to.split('@')
  const rows = await transaction.run(lockBoth, {
    username,
    domain: storedDomain(domain),
    other_username,
    other_domain: storedDomain(other_domain),
  })
  return { source: rows.find(row => row.is_first), target: rows.find(row => row.is_second) }
}

/**
 * Merges a remote account into another one, when the same person is known under two handles.
 * @returns what is in the way; undefined when they were merged
 */
export async function mergeAccounts(
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  merge: Merge,
): Promise<MergeObstacle | undefined> {
  const { from, to, force, moderator } = merge
  const merged = await database.transaction(async transaction => {
    const { source, target } = await lockAccounts(transaction, merge)
    if (!source) return 'unknown_source'
    if (!target) return 'unknown_target'
    if (source.id === target.id) return 'same_account'
    if (source.public_key !== target.public_key && !force) return 'other_key'
    await transaction.one(mergeBoth, { source: source.id, target: target.id, name: `${from} → ${to}`, moderator })
    return source
  })
  if (typeof merged === 'string') return merged
  for (const key of merged.files) await storage.remove(key)
  return undefined
}
