import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue, idIn, job, type Job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { applyRow } from './apply_row.ts'
import { isKind } from './kinds.ts'
import { removeSurplus } from './remove_surplus.ts'

const findImport = query(
  'timelines/data_import/find',
  { import: c.id },
  { account_id: c.id, kind: c.text, overwrite: c.boolean, stopped: c.boolean },
)
const nextRows = query(
  'timelines/data_import/next_rows',
  { import: c.id, limit: c.integer },
  { position: c.integer, cells: c.texts },
)
const noteRow = query(
  'timelines/data_import/note_row',
  { import: c.id, position: c.integer, failed: c.boolean, target: c.nullable(c.id), domain: c.nullable(c.text) },
  { id: c.id },
)
const finish = query('timelines/data_import/finish', { import: c.id }, { id: c.id })
const removeOld = query('timelines/data_import/remove_old', {}, { id: c.id })

/**
 * The number of rows that one run imports; the next run continues, so that other jobs are not
 * delayed.
 */
const ROWS_AT_ONCE = 200

/**
 * Imports the next rows of a file; after the last one, an import that replaces removes everything
 * else.
 */
export const runImport: Job<{ import: Id }, Services> = job(
  'data_import.run',
  payload => ({ import: idIn(payload, 'import') }),
  async ({ import: id }, services, { signal }) => {
    const { database } = services
    const found = await database.one(findImport, { import: id })
    if (!found) return
    const { account_id: account, kind, overwrite, stopped } = found
    if (stopped || !isKind(kind)) return void (await database.run(finish, { import: id }))
    const rows = await database.run(nextRows, { import: id, limit: ROWS_AT_ONCE })
    for (const { position, cells } of rows) {
      signal.throwIfAborted()
      const target = await applyRow(services, kind, account, cells)
      const noted = { failed: target === undefined, target: target?.id ?? null, domain: target?.domain ?? null }
      await database.run(noteRow, { import: id, position, ...noted })
    }
    if (rows.length === ROWS_AT_ONCE) return enqueue(database, runImport, { import: id })
    if (overwrite) await removeSurplus(database, kind, account, id, signal)
    await database.run(finish, { import: id })
  },
)

/** Once a day: removes imports that finished a week ago. */
export const removeOldImports = job<undefined, Services>(
  'data_import.remove_old',
  () => undefined,
  async (_, { database }) => void (await database.run(removeOld, {})),
  { cron: '27 4 * * *' },
)
