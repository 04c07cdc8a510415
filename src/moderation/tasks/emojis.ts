import type { Id } from '../../core/id.ts'
import { deleteEmojis } from '../../media/custom_emojis/index.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Steps } from './follows.ts'

const WHICH = { remote_only: c.boolean, suspended_only: c.boolean } as const
const findSome = query('moderation/tasks/emojis_to_purge', WHICH, { id: c.id })
const countByDomain = query(
  'moderation/tasks/emojis_to_purge_by_domain',
  { ...WHICH, limit: c.integer },
  { domain: c.nullable(c.text), amount: c.integer, total: c.integer, domains: c.integer },
)

/** All custom emojis, those of other servers, or those of servers that are suspended here. */
export const PURGED_EMOJIS = ['all', 'remote', 'suspended'] as const
export type PurgedEmojis = (typeof PURGED_EMOJIS)[number]

const columnsOf = (which: PurgedEmojis) => ({
  remote_only: which === 'remote',
  suspended_only: which === 'suspended',
})

/** How many emojis a purge deletes, by domain; each row also has the total. */
export const countPurgedEmojis = (
  runner: Runner,
  which: PurgedEmojis,
  limit: number,
): Promise<Row<typeof countByDomain.columns>[]> => runner.run(countByDomain, { ...columnsOf(which), limit })

/**
 * Deletes custom emojis with their files, in batches.
 * @param moderator null for the operator
 * @throws the signal's reason
 */
export async function purgeEmojis(
  services: Services,
  moderator: Id | null,
  which: PurgedEmojis,
  { signal, each }: Steps = {},
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const ids = (await services.database.run(findSome, columnsOf(which))).map(({ id }) => id)
    if (ids.length === 0 || (await deleteEmojis(services, moderator, ids)) === 0) return
    await each?.(ids.length)
  }
}
