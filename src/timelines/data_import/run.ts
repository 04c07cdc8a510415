import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { enqueue, idIn, job, type Job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { applyRow, findTarget } from './apply_row.ts'
import { isKind, type Kind } from './kinds.ts'
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
const hasDone = query('timelines/data_import/has_done', { import: c.id }, { done: c.boolean })
const finish = query('timelines/data_import/finish', { import: c.id }, { id: c.id })
const findStalled = query('timelines/data_import/stalled', {}, { id: c.id })
const removeOld = query('timelines/data_import/remove_old', {}, { id: c.id })

/**
 * The number of rows that one run imports, and the time after which it begins no more of them; the
 * next run continues, so that other jobs are not delayed.
 */
const ROWS_AT_ONCE = 200
const RUN_MS = 20_000
/** The number of rows whose subjects are looked up at the same time, perhaps on other servers. */
const LOOKUPS = 10

interface Row {
  readonly position: number
  readonly cells: readonly string[]
}

interface Import {
  readonly id: Id
  readonly kind: Kind
  readonly account: Id
}

async function importRows(
  services: Services,
  { id, kind, account }: Import,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<void> {
  const targets = await Promise.all(rows.map(({ cells }) => findTarget(services, kind, account, cells)))
  for (const [index, { position, cells }] of rows.entries()) {
    signal.throwIfAborted()
    const target = targets[index]
    const isApplied = target !== undefined && (await applyRow(services, kind, account, target, cells))
    await services.database.run(noteRow, {
      import: id,
      position,
      failed: !isApplied,
      target: target && 'id' in target ? target.id : null,
      domain: target && 'domain' in target ? target.domain : null,
    })
  }
}

/**
 * Imports the next rows of a file; after the last one, an import that replaces removes everything
 * else, unless no row could be imported: then it is probably another kind of file.
 */
async function importNext(services: Services, id: Id, signal: AbortSignal): Promise<void> {
  const { database } = services
  const found = await database.one(findImport, { import: id })
  if (!found) return
  const { account_id: account, kind, overwrite, stopped } = found
  if (stopped || !isKind(kind)) return void (await database.run(finish, { import: id }))
  const rows = await database.run(nextRows, { import: id, limit: ROWS_AT_ONCE })
  const until = performance.now() + RUN_MS
  for (let at = 0; at < rows.length; at += LOOKUPS) {
    if (performance.now() > until) return enqueueImport(database, id)
    await importRows(services, { id, kind, account }, rows.slice(at, at + LOOKUPS), signal)
  }
  if (rows.length === ROWS_AT_ONCE) return enqueueImport(database, id)
  if (overwrite && (await database.one(hasDone, { import: id }))?.done === true)
    await removeSurplus(database, kind, account, id, signal)
  await database.run(finish, { import: id })
}

/** Imports the next rows of a file. When no attempt is left the others count as failed. */
export const runImport: Job<{ import: Id }, Services> = job(
  'data_import.run',
  payload => ({ import: idIn(payload, 'import') }),
  async ({ import: id }, services, { signal, lastAttempt }) => {
    try {
      await importNext(services, id, signal)
    } catch (error) {
      if (lastAttempt) await services.database.run(finish, { import: id })
      throw error
    }
  },
  { priority: 100 },
)

/**
 * Adds the job that imports the next rows. Imports run behind everything else and two at a time,
 * since they take hours when they name many servers that do not answer.
 */
export const enqueueImport = (runner: Runner, id: Id): Promise<void> =>
  enqueue(runner, runImport, { import: id }, { queue: `data_import:${BigInt(id) % 2n}` })

/**
 * Once a day: ends imports that have not finished in two days, since their job was deleted, and
 * removes those that finished a week ago.
 */
export const removeOldImports = job<undefined, Services>(
  'data_import.remove_old',
  () => undefined,
  async (_, { database }) => {
    for (const { id } of await database.run(findStalled, {})) await database.run(finish, { import: id })
    await database.run(removeOld, {})
  },
  { cron: '27 4 * * *' },
)
