import type { Client } from '../database/client.ts'
import type { BackupTable } from './manifest.ts'

/** The schemas of the server and of its job queue. */
export const SCHEMAS = ['public', 'graphile_worker']

/**
 * Tables whose rows are not in a backup: migrations and functions are applied again, and the event
 * log belongs to one database cluster; clients that resume a stream load their timelines again.
 */
const WITHOUT_ROWS = ['migrations', 'functions', 'events', '_private_migrations']

const TABLES = `
  select c.oid::regclass::text as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace::regnamespace::text = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname <> all ($2)
  group by c.oid
  order by 1`

/** The tables with rows to store. Their names and columns are quoted for SQL. */
export const findTables = async (client: Client): Promise<BackupTable[]> =>
  (await client.query<BackupTable>(TABLES, [SCHEMAS, WITHOUT_ROWS])).rows
