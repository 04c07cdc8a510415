import { c, query } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'

const remove = query(
  'moderation/domain_rules/remove_emojis',
  { domain: c.text, below: c.boolean },
  { removed: c.integer, files: c.texts, events: c.events },
)
const count = query('moderation/domain_rules/count_emojis', { domain: c.text, below: c.boolean }, { number: c.integer })

/**
 * Deletes the custom emojis of a domain and, with `below`, of its subdomains, with their pictures.
 * @param dryRun deletes nothing
 * @returns their number
 */
export async function removeEmojis(
  { database }: Services,
  domain: string,
  below: boolean,
  dryRun = false,
): Promise<number> {
  if (dryRun) return (await database.one(count, { domain, below }))?.number ?? 0
  return database.transaction(async transaction => {
    const removed = await transaction.one(remove, { domain, below })
    if (removed && removed.files.length > 0) await enqueue(transaction, removeFiles, { keys: removed.files })
    return removed?.removed ?? 0
  })
}
