import pg from 'pg'

/*
 * Rows for every table of any schema, made from its description: two for each table, the first with
 * a value in every column, the second with null where a column and its checks allow it. They refer
 * to nothing.
 */

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** The labels of an enumeration, or the words that a check of this column allows. */
  readonly words: readonly string[]
}

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
    coalesce(
      (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
        where e.enumtypid in (a.atttypid, t.typelem)),
      (select array_agg(word[1] order by k.oid) from pg_constraint k,
          regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g') word
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]),
      '{}') as words
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relname not in ('migrations', 'functions')
  order by c.relname, a.attnum`

/** A value for each type of the schema; a new type needs another line. */
const VALUES: Readonly<Record<string, (row: number) => unknown>> = {
  bigint: row => row,
  integer: row => row,
  smallint: row => row,
  real: row => row + 0.5,
  'double precision': row => row + 0.5,
  numeric: row => row,
  boolean: row => row === 1,
  text: row => `text ${row}`,
  'timestamp with time zone': row => `2026-01-0${row}T12:00:00Z`,
  date: row => `2026-01-0${row}`,
  interval: row => `${row} days`,
  json: row => JSON.stringify({ row }),
  jsonb: row => JSON.stringify({ row }),
  inet: row => `192.0.2.${row}`,
  cidr: row => `192.0.2.${row}/32`,
  bytea: row => Buffer.from([row]),
  uuid: row => `00000000-0000-4000-8000-00000000000${row}`,
  tsvector: row => `word${row}`,
  xid8: row => String(row),
}

/** Columns whose checks concern several columns. */
const EXCEPTIONS: Readonly<Record<string, unknown>> = {
  'member_mailings.terms_id': null,
  'moderation_notes.report_id': null,
  'relays.state': 'accepted',
  'staff_tasks.days': null,
  'staff_tasks.domain': null,
  'retention_progress.only_one': true,
  'status_removals.only_one': true,
  'statuses.quote_approval_policy': 'public',
}

function valueOf({ table, name, type, words }: Column, row: number): unknown {
  const exception = EXCEPTIONS[`${table}.${name}`]
  if (exception !== undefined) return exception
  const [word] = words
  if (word !== undefined) return type.endsWith('[]') ? [word] : (words[row - 1] ?? word)
  const make = VALUES[type.replace('[]', '')]
  if (!make) throw new Error(`${table}.${name} is ${type}: there is no value of this type in fill_tables.ts`)
  return type.endsWith('[]') ? [make(row)] : make(row)
}

const CHECK_VIOLATION = '23514'

async function insert(client: pg.Client, table: string, columns: readonly Column[], row: number): Promise<void> {
  const places = columns.map((_, index) => `$${index + 1}`)
  const names = columns.map(({ name }) => name)
  await client.query(
    `insert into ${table} (${names.join()}) overriding system value values (${places.join()}) on conflict do nothing`,
    columns.map(column => valueOf(column, row)),
  )
}

/** Inserts the second row, without the columns that may be null. */
async function insertShort(client: pg.Client, table: string, columns: readonly Column[]): Promise<void> {
  const required = columns.filter(({ nullable }) => !nullable)
  try {
    await insert(client, table, required, 2)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CHECK_VIOLATION) throw error
    await insert(client, table, columns, 2)
  }
}

/** Fills all tables. @returns their names */
export async function fillTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<Column>(COLUMNS)
  const tables = Map.groupBy(rows, ({ table }) => table)
  await client.query('set session_replication_role = replica')
  for (const [table, columns] of tables) {
    try {
      await insert(client, table, columns, 1)
      await insertShort(client, table, columns)
    } catch (cause) {
      throw new Error(`${table} cannot be filled: ${String(cause)}`, { cause })
    }
  }
  await client.query('set session_replication_role = origin')
  return [...tables.keys()]
}
