import pg from 'pg'
import type { Test } from 'tap'
import type { TestServer } from '../server.ts'

/** Returns a function that waits until so many deliveries have been put off, and lists them. */
export async function watchPutOff(t: Test, server: TestServer): Promise<(amount: number) => Promise<string[]>> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  let wake = Promise.withResolvers<void>()
  client.on('notification', () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  })
  await client.query('listen "jobs:insert"')
  return async amount => {
    for (;;) {
      const next = wake.promise
      const { rows } = await client.query<{ id: string }>(
        // Not now(): a first attempt may be added between the start of the statement and its view.
        `select j.id::text from graphile_worker.jobs j
         where j.task_identifier = 'federation.deliver' and j.run_at > clock_timestamp() order by j.id`,
      )
      if (rows.length >= amount) return rows.map(({ id }) => id)
      await next
    }
  }
}
