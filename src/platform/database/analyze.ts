import pg from 'pg'

/** SQLSTATE disk_full (PostgreSQL, appendix A). */
const DISK_FULL = '53100'

/**
 * Tables, ours and the job queue's, that have rows but no statistics; partitions too, since
 * PostgreSQL plans each separately.
 */
const WITHOUT_STATISTICS = `
  select format('%I.%I', n.nspname, t.relname) as name
  from pg_class t join pg_namespace n on n.oid = t.relnamespace
  where n.nspname in (current_schema(), 'graphile_worker') and t.relkind = 'r'
    and pg_has_role(t.relowner, 'usage') and pg_relation_size(t.oid) > 0
    and not exists (select from pg_stats s where s.schemaname = n.nspname and s.tablename = t.relname)
  order by 1`

/**
 * Analyzes the tables that have rows but no statistics, since PostgreSQL assumes that their columns
 * hold a few common values: a restored database has no statistics, and autovacuum comes a minute
 * later, or never to tables that hardly change. ANALYZE samples, so millions of rows take less than
 * a second. Returns the names of the tables.
 */
export async function analyzeUnknown(client: pg.Client): Promise<readonly string[]> {
  try {
    return await analyze(client)
  } catch (error) {
    // The command line has to work on a full disk; the next start analyzes.
    if (error instanceof pg.DatabaseError && error.code === DISK_FULL) return []
    throw error
  }
}

async function analyze(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(WITHOUT_STATISTICS)
  const names = rows.map(row => row.name)
  if (names.length > 0) await client.query(`analyze ${names.join(', ')}`)
  return names
}
