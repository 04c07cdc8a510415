import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'

const remove = query(
  'moderation/domain_rules/remove_emojis',
  { domain: c.text, below: c.boolean, rule: c.nullable(c.id) },
  { removed: c.integer, files: c.texts, events: c.events },
)
const count = query('moderation/domain_rules/count_emojis', { domain: c.text, below: c.boolean }, { number: c.integer })

interface Which {
  readonly domain: string
  /** Also those of its subdomains. */
  readonly below: boolean
  /** Only those under this rule; null, the default: all. */
  readonly rule?: Id | null
}

/** Deletes custom emojis of a domain with their pictures, in short transactions; their number. */
export async function removeEmojis(
  { database }: Pick<Services, 'database'>,
  { domain, below, rule = null }: Which,
): Promise<number> {
  const removeSome = (): Promise<number> =>
    database.transaction(async transaction => {
      const removed = await transaction.one(remove, { domain, below, rule })
      if (removed && removed.files.length > 0) await enqueue(transaction, removeFiles, { keys: removed.files })
      return removed?.removed ?? 0
    })
  let total = 0
  for (let removed = 1; removed > 0; total += removed) removed = await removeSome()
  return total
}

/** The number of custom emojis that `removeEmojis` would delete. */
export const countEmojis = async (
  { database }: Pick<Services, 'database'>,
  domain: string,
  below: boolean,
): Promise<number> => (await database.one(count, { domain, below }))?.number ?? 0
