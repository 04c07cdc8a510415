import pg from 'pg'
import type { FuzzWorld } from './world.ts'

/** Their ids come from responses, and they have many rows. */
const LEARNED = ['accounts', 'statuses', 'notifications', 'events', 'users']

/** The newest rows of a table are searched for those of the people. */
const SEARCHED = 200
/** Rows of a table that are worth referring to. */
const TAKEN = 12

/**
 * Ids of what only pages show, such as announcements and webhooks: those of the newest rows of all
 * tables, of the people themselves where rows belong to somebody. The words in paths are the names
 * of tables.
 */
export interface DatabaseIds {
  learn(world: Pick<FuzzWorld, 'ids' | 'accounts'>): Promise<void>
  close(): Promise<void>
}

const TABLES = `
  select t.table_name as name, exists (
    select from information_schema.columns o
    where o.table_schema = t.table_schema and o.table_name = t.table_name and o.column_name = 'account_id'
  ) as is_owned
  from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
  where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'id'
    and c.data_type in ('bigint', 'integer') and t.table_name <> all ($1)
  order by 1`

export async function openDatabaseIds(databaseUrl: string): Promise<DatabaseIds> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const { rows } = await pool.query<{ name: string; is_owned: boolean }>(TABLES, [LEARNED])
  const text = rows
    .map(({ name, is_owned: isOwned }) => {
      const newest = `(select * from ${name} order by id desc limit ${isOwned ? SEARCHED : TAKEN}) x`
      const own = isOwned ? 'where x.account_id = any ($1::bigint[])' : ''
      return `(select '${name}' as kind, x.id::text from ${newest} ${own} order by x.id desc limit ${TAKEN})`
    })
    .join(' union all ')
  return {
    async learn({ ids, accounts }) {
      const found = await pool.query<{ kind: string; id: string }>({ name: 'ids', text, values: [accounts] })
      for (const { kind, id } of found.rows) ids.add(kind, id)
    },
    close: () => pool.end(),
  }
}
