import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { stage, TIMEOUT_MS } from './jobs_fixtures.ts'

test('jobs of a serial queue follow each other immediately', async t => {
  const { database, bench, start, until } = await stage(t)
  await start(4)
  await database.withClient(client =>
    client.query(
      `select graphile_worker.add_job('note', json_build_object('text', n::text), queue_name => 'serial')
       from generate_series(1, 50) n`,
    ),
  )
  await until(50)
  assert.deepEqual(
    bench.runs.map(({ text }) => Number(text)),
    Array.from({ length: 50 }, (_, at) => at + 1),
  )
})

test('a job of a serial queue is found when the queue was locked at first', async t => {
  const { connection, bench, start, until } = await stage(t)
  await start()
  const [holder, other] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([holder.connect(), other.connect()])
  t.after(() => Promise.all([holder.end(), other.end()]))
  await holder.query(`insert into graphile_worker._private_job_queues (queue_name) values ('line')`)
  // As a worker does that looks for any job.
  await holder.query('begin')
  await holder.query('select from graphile_worker._private_job_queues for update')
  const { rows } = await other.query<{ at: Date }>('select clock_timestamp() as at')
  await other.query(`select enqueue('note', '{"text": "queued"}', queue_name => 'line')`)
  const when = AbortSignal.timeout(TIMEOUT_MS)
  for (let looked = 0; looked === 0;) {
    when.throwIfAborted()
    const found = await other.query(
      `select from pg_stat_activity a
       where a.datname = current_database() and a.query like 'with j as (%' and a.state = 'idle' and a.query_start > $1`,
      [rows[0]?.at],
    )
    looked = found.rowCount ?? 0
  }
  assert.deepEqual(bench.runs, [])
  await holder.query('rollback')
  await until(1)
})
