import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { catalogueQueries } from './schema_dump.ts'
import { startEmbedded } from './embedded/index.ts'
import { migrate } from './migrate.ts'

/** The dump of the migrated schema in the repository, for readers and for a test that compares. */
export const schemaFile = fileURLToPath(new URL('../../../sql/schema.sql', import.meta.url))

/**
 * The first line of a dump. PostgreSQL's major versions print some definitions differently, so only
 * dumps of the same one are comparable.
 */
export function schemaHeading(major: number): string {
  return `-- The schema that sql/migrations and sql/functions make, as PostgreSQL ${major} prints it. Written by \`npm run schema\`: to be read, not to be run or edited.`
}

/**
 * Dumps the schema of a database as SQL. The same schema always gives the same text: ordered by
 * kind and name, without owners, privileges, rows, and the partitions that are created and dropped
 * over time.
 */
export async function dumpSchema(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, application_name: 'millrace schema' })
  await client.connect()
  try {
    // Names in this path are printed without their schema.
    await client.query('set search_path to public')
    const version = await client.query<{ major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    const sections = [schemaHeading(version.rows[0]?.major ?? 0)]
    for (const text of catalogueQueries) {
      const { rows } = await client.query<{ definition: string }>(text)
      sections.push(...rows.map(row => row.definition))
    }
    return `${sections.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

/** Migrates an empty database in a temporary cluster, and writes its schema to sql/schema.sql. */
async function writeSchemaFile(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-schema-'))
  const log = (): void => {}
  try {
    const embedded = await startEmbedded({ dataDir, log, extraSettings: { fsync: 'off' } })
    try {
      await migrate(embedded.connection, log)
      writeFileSync(schemaFile, await dumpSchema(embedded.connection))
    } finally {
      await embedded.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeSchemaFile()
