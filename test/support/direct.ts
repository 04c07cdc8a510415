import type { Test } from 'tap'
import { openDatabase, type Database } from '../../src/platform/database/index.ts'
import type { ServerAddress } from './server.ts'

/**
 * The server's database for functions of src that pages and commands call; closed when the test
 * ends.
 */
export function directDatabase(t: Test, server: ServerAddress): Database {
  const database = openDatabase({ connection: { connectionString: server.databaseUrl }, poolSize: 2 })
  t.after(() => database.close())
  return database
}
