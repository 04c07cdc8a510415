import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job, memberOf } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const findState = query('moderation/withholding', { account: c.id }, { suspended: c.boolean, files: c.texts })
const findFiles = query(
  'moderation/withheld_files',
  { account: c.id, after: c.id, statuses: c.nullable(c.ids), limit: c.integer },
  { id: c.id, withheld: c.boolean, files: c.texts },
)

const BATCH_SIZE = 2000

interface Payload {
  readonly account: Id
  /** Only the attachments of these statuses, which were deleted; absent: all files. */
  readonly statuses?: readonly Id[]
}

/**
 * Withholds the files of an account that is suspended, or of its deleted statuses, from everybody
 * who knows their addresses, and shows them again when the suspension has ended. It begins again
 * when that changes meanwhile, since the job of the other change may run at the same time.
 */
export const withholdFiles = job<Payload, Services>(
  'moderation.withhold_files',
  parsePayload,
  async ({ account, statuses }, { database, storage }, { signal }) => {
    for (let known: boolean | undefined; ;) {
      const state = await database.one(findState, { account })
      if (!state || state.suspended === known) return
      known = state.suspended
      if (!statuses) for (const key of state.files) await storage.withhold(key, known)
      for (let after: Id | undefined = '0'; after !== undefined;) {
        signal.throwIfAborted()
        const batch: { id: Id; withheld: boolean; files: readonly string[] }[] = await database.run(findFiles, {
          account,
          after,
          statuses: statuses ? [...statuses] : null,
          limit: BATCH_SIZE,
        })
        for (const { withheld, files } of batch) for (const key of files) await storage.withhold(key, withheld)
        after = batch.length === BATCH_SIZE ? batch.at(-1)?.id : undefined
      }
    }
  },
)

function parsePayload(payload: unknown): Payload {
  const statuses = memberOf(payload, 'statuses')
  const account = idIn(payload, 'account')
  return Array.isArray(statuses)
    ? { account, statuses: statuses.filter((id): id is Id => typeof id === 'string') }
    : { account }
}
