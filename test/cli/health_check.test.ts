import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { runHere } from './command.ts'

test('healthy reports to container supervisors whether the server can serve', async t => {
  const server = await startServer(t)
  const { port, dataDir } = server.config
  const environment = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: server.databaseUrl }
  assert.deepEqual(await runHere(['healthy'], environment), { code: 0, out: 'OK\n', err: '' })
  assert.deepEqual(await runHere(['healthy', 'jobs'], environment), { code: 0, out: 'OK\n', err: '' })
  await sql(server, `insert into graphile_worker._private_job_queues (queue_name, locked_at) values ('stuck', now())`)
  const stuck = `select graphile_worker.add_job('letters.notice', queue_name => 'stuck', run_at => now() - interval '1 hour')`
  await sql(server, stuck)
  const late = await runHere(['healthy', 'jobs'], environment)
  assert.equal(late.code, 1)
  assert.match(late.err, /^http:\/\/127\.0\.0\.1:\d+\/health\/jobs responds with 503: .*Background jobs wait/)
  await server.stop()
  const gone = await runHere(['healthy'], environment)
  assert.deepEqual([gone.code, gone.err], [1, `No server responds at http://127.0.0.1:${port}/health\n`])
})
