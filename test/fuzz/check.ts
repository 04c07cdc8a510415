import { setTimeout as delay } from 'node:timers/promises'
import { runHere } from '../cli/command.ts'
import { execute } from '../support/database.ts'

const WAITING = 'select from graphile_worker.jobs j where j.run_at <= now() and j.attempts < j.max_attempts limit 1'
const POLL_MS = 100

/** Waits for the jobs that can run now. @returns what `ctl check` finds then */
export async function checkAfterwards(server: { databaseUrl: string; dataDir: string }): Promise<string> {
  while ((await execute(server.databaseUrl, WAITING)).length > 0) await delay(POLL_MS)
  const { out, err, code } = await runHere(['check'], { DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDir })
  return code === 0 ? '' : `${out}${err}`
}
