import pg from 'pg'
import type { Logger } from '../../core/logger.ts'
import type { Connection } from './database.ts'

/** Null for a collation without versions, such as C. */
const ASK = `
  select d.datcollversion as stored, pg_database_collation_actual_version(d.oid) as actual
  from pg_database d
  where d.datname = current_database()`

/**
 * Warns when texts are sorted differently than when the database was made: a new C library or ICU
 * came with an upgrade of the system. Indexes in the old order no longer find some rows, and let
 * duplicates in. PostgreSQL tells it only to those who connect by hand.
 * https://www.postgresql.org/docs/18/sql-alterdatabase.html
 */
export async function warnOfChangedCollation(connection: Connection, logger: Logger): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'millrace collation' })
  client.on('error', () => undefined) // the running statement fails too
  await client.connect()
  try {
    const { rows } = await client.query<{ stored: string | null; actual: string | null }>(ASK)
    const { stored = null, actual = null } = rows[0] ?? {}
    if (stored !== null && actual !== null && stored !== actual)
      logger.error(
        { stored, actual },
        'texts are sorted differently than when the database was made, so its indexes may be wrong: rebuild them (OPERATING.md, "One of your own")',
      )
  } finally {
    await client.end()
  }
}
