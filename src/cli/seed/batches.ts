import { c, query, type Database } from '../../platform/database/index.ts'

type Client = Parameters<Parameters<Database['withClient']>[0]>[0]

const findIndexes = query('cli/seed/indexes', { table_name: c.text }, { removal: c.text, making: c.text })

/** From this many rows on it is worth it. */
const MANY_ROWS = 100_000
const BUILD_MEMORY = '256MB'

/** How a table's indexes are taken away and made again; none when its rows are to be written with the indexes there. */
export type Rebuild = readonly { removal: string; making: string }[]

/**
 * Whether a table is filled without its indexes: when it is empty now, so that nobody misses it while it is locked, and many rows come. With a
 * million statuses the indexes are several times the buffers, each row changes a page of each, and every checkpoint has them all logged
 * whole again: 270 s, where building them from what is there takes a third.
 */
export async function planRebuild(database: Database, table: string, rows: number): Promise<Rebuild> {
  if (rows < MANY_ROWS) return []
  const isEmpty = await database.withClient(async client => {
    const found = await client.query(`select from ${table} limit 1`)
    return found.rowCount === 0
  })
  return isEmpty ? database.run(findIndexes, { table_name: table }) : []
}

/** Writes a table without its indexes and makes them after, all in one transaction: broken off, it is as it was. */
export async function rebuild(
  client: Client,
  table: string,
  indexes: Rebuild,
  write: () => Promise<void>,
): Promise<void> {
  if (indexes.length === 0) return write()
  await client.query('begin')
  try {
    await client.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`)
    await client.query('set local max_parallel_maintenance_workers = 0')
    await client.query(`lock table ${table} in access exclusive mode`)
    for (const { removal } of indexes) await client.query(removal)
    await write()
    for (const { making } of indexes) await client.query(making)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
