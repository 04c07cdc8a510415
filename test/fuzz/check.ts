import { runHere } from '../cli/command.ts'
import { until } from '../media/attachments/media_fixtures.ts'
import { sql } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Waits for the jobs that can run now. @returns what `ctl check` finds then */
export async function checkAfterwards(server: TestServer): Promise<string> {
  const waiting = (): Promise<unknown[]> =>
    sql(server, 'select from graphile_worker.jobs j where j.run_at <= now() and j.attempts < j.max_attempts limit 1')
  await until(waiting, rows => rows.length === 0, 'the jobs')
  const { out, err, code } = await runHere(['check'], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
  })
  return code === 0 ? '' : `${out}${err}`
}
