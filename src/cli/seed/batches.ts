import { c, query, type Database } from '../../platform/database/index.ts'

type Client = Parameters<Parameters<Database['withClient']>[0]>[0]

const findIndexes = query(
  'cli/seed/indexes',
  { table_name: c.text },
  { drop_statement: c.text, create_statement: c.text },
)

/** The number of rows that justifies it. */
const MIN_ROWS = 100_000
const BUILD_MEMORY = '256MB'

/**
 * Statements that drop and create a table's indexes; none if rows are written with the indexes in
 * place.
 */
export type Rebuild = readonly { drop_statement: string; create_statement: string }[]

/**
 * Whether a table is filled without its indexes: if it is empty, so that its lock disturbs nobody,
 * and many rows come. With a million statuses the indexes are several times the size of the
 * buffers, each row changes a page of each index, and every checkpoint logs all of them in full:
 * 270 s, where building them afterwards takes a third.
 */
export async function planRebuild(database: Database, table: string, rows: number): Promise<Rebuild> {
  if (rows < MIN_ROWS) return []
  const isEmpty = await database.withClient(async client => {
    const result = await client.query(`select from ${table} limit 1`)
    return result.rowCount === 0
  })
  return isEmpty ? database.run(findIndexes, { table_name: table }) : []
}

/**
 * Drops a table's indexes, writes its rows and creates the indexes, in one transaction: an
 * interruption leaves the table as it was.
 */
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
    for (const { drop_statement: dropStatement } of indexes) await client.query(dropStatement)
    await write()
    for (const { create_statement: createStatement } of indexes) await client.query(createStatement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
