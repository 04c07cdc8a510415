import pg from 'pg'
import type { FunctionFile, Part } from './migration_files.ts'

type Run = (part: Part) => Promise<void>

/** A function in the database, with everything that replacing it would change. */
interface Existing {
  signature: string
  place: string
}

/**
 * https://www.postgresql.org/docs/18/errcodes-appendix.html: the replacement returns another type,
 * or renames its parameters.
 */
const INVALID_FUNCTION_DEFINITION = '42P13'

async function findExisting(client: pg.Client, names: readonly string[]): Promise<Existing[]> {
  const { rows } = await client.query<Existing>(
    `select p.oid::regprocedure::text as signature, p.ctid::text as place
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.proname = any ($1)`,
    [names],
  )
  return rows
}

async function dropAll(client: pg.Client, functions: readonly Existing[]): Promise<void> {
  for (const { signature } of functions) await client.query(`drop function ${signature}`)
}

/** Creates the functions of a file, and drops others with the same names. */
async function replace(client: pg.Client, file: FunctionFile, run: Run): Promise<void> {
  const before = await findExisting(client, file.creates)
  await client.query('savepoint replacement')
  try {
    await client.query(file.part.text)
  } catch (error) {
    await client.query('rollback to savepoint replacement')
    if (error instanceof pg.DatabaseError && error.code === INVALID_FUNCTION_DEFINITION) await dropAll(client, before)
    await run(file.part)
  }
  const after = new Set((await findExisting(client, file.creates)).map(({ place }) => place))
  await dropAll(
    client,
    before.filter(({ place }) => after.has(place)),
  )
}

/**
 * Creates the functions that differ from their files, and returns their names. Only one process at
 * a time may call it, in a transaction and when the tables exist.
 * @param run sends a part; its error contains the position
 */
export async function updateFunctions(
  client: pg.Client,
  files: Iterable<FunctionFile>,
  run: Run,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from functions')
  const known = new Map(rows.map(row => [row.name, row.checksum]))
  const changed = [...files].filter(file => known.get(file.name) !== file.checksum)
  if (changed.length === 0) return []
  for (const file of changed) {
    await replace(client, file, run)
    await client.query(
      `insert into functions (name, checksum) values ($1, $2)
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [file.name, file.checksum],
    )
  }
  return changed.map(file => file.name)
}
