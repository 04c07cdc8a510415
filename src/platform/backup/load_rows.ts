import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import type { Client } from '../database/client.ts'
import { BackupError } from './backup_error.ts'
import type { BackupTable } from './manifest.ts'
import { SCHEMAS } from './tables.ts'

/** Constraints between tables, which are checked when all rows are there. */
const FOREIGN_KEYS = `
  select c.conrelid::regclass::text as "table", quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c
  where c.contype = 'f' and c.connamespace::regnamespace::text = any ($1) and c.conparentid = 0
  order by c.conrelid::regclass::text, c.conname`

const TABLES_WITH_TRIGGERS = `
  select distinct t.tgrelid::regclass::text as "table"
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace::regnamespace::text = any ($1) and t.tgparentid = 0`

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/**
 * Runs work in a transaction in which triggers do not run and foreign keys are checked at the end,
 * by statements that the owner of the tables may run.
 */
export async function withoutChecks(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  const { rows: triggered } = await client.query<{ table: string }>(TABLES_WITH_TRIGGERS, [SCHEMAS])
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS, [SCHEMAS])
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`)
  await work()
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`)
  await client.query('commit')
}

/** Takes the rows of one table after the other. */
export interface RowLoader {
  add(table: BackupTable, content: AsyncIterable<Buffer>): Promise<void>
  /** Ends the last table. @returns the rows by table */
  end(): Promise<ReadonlyMap<string, number>>
}

export function createRowLoader(client: Client): RowLoader {
  const loaded = new Map<string, number>()
  let open: { name: string; stream: ReturnType<typeof from>; ended: Promise<void> } | undefined

  async function endTable(): Promise<void> {
    if (!open) return
    open.stream.end()
    await open.ended
    loaded.set(open.name, open.stream.rowCount)
    open = undefined
  }

  function beginTable({ name, columns }: BackupTable): NonNullable<typeof open> {
    if (loaded.has(name)) throw new BackupError(`The backup has the table ${name} twice`)
    const stream = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`))
    const ended = finished(stream)
    ended.catch(() => undefined)
    return { name, stream, ended }
  }

  return {
    async add(table, content) {
      if (open?.name !== table.name) {
        await endTable()
        open = beginTable(table)
      }
      const { stream, ended } = open
      for await (const piece of content) if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), ended])
    },
    async end() {
      await endTable()
      return loaded
    },
  }
}

/** Makes the next value of each identity column follow the restored ones. */
export async function setSequences(client: Client, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name])
    if (rows[0]?.found) await client.query('select setval($1::regclass, $2::bigint)', [name, value])
  }
}
