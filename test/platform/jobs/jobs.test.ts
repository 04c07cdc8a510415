import assert from 'node:assert/strict'
import { test } from 'tap'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { enqueue } from '../../../src/platform/jobs/index.ts'
import { fakeTimers } from '../../support/fake_timers.ts'
import { readOnlySwitch } from '../../support/read_only_database.ts'
import { appointment, fragile, hopeless, jobs, later, note, stage, TIMEOUT_MS } from './jobs_fixtures.ts'

test('a job of a transaction that rolls back never runs; one that commits does', async t => {
  const { database, bench, start, until } = await stage(t)
  await start()
  const failed = database.transaction(async transaction => {
    await enqueue(transaction, note, { text: 'undone' })
    throw new Error('changed my mind')
  })
  await assert.rejects(failed, /changed my mind/)
  await database.transaction(transaction => enqueue(transaction, note, { text: 'done' }))
  await until(1)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['done'],
  )
})

test('each job runs once, in whichever process', async t => {
  const { database, bench, start, until, waiting } = await stage(t)
  const texts = Array.from({ length: 30 }, (_, index) => `job ${index}`)
  const workers = await Promise.all([start(2), start(2)])
  await Promise.all(texts.map(text => enqueue(database, note, { text })))
  await until(texts.length)
  await Promise.all(workers.map(worker => worker.close()))
  assert.deepEqual(bench.runs.map(run => run.text).toSorted(), texts.toSorted())
  assert.deepEqual(await waiting(), [])
  assert.equal(
    workers.reduce((sum, worker) => sum + worker.statistics().succeeded, 0),
    texts.length,
  )
})

test('a job that was added before the workers started is found', async t => {
  const { database, bench, start, until } = await stage(t)
  await enqueue(database, note, { text: 'early' })
  await start()
  await until(1)
  assert.equal(bench.runs[0]?.text, 'early')
})

test('a job that only other processes know is left to them', async t => {
  const { database, bench, start, until, waiting } = await stage(t)
  await start()
  await enqueue(database, later, { text: 'later' })
  await enqueue(database, note, { text: 'now' })
  await until(1)
  assert.deepEqual(
    (await waiting()).filter(({ task_identifier: name }) => name === 'later'),
    [{ task_identifier: 'later', attempts: 0, last_error: null }],
  )
  await start(1, [...jobs, later])
  await until(2)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['now', 'later'],
  )
})

test('a failed job is retried after a pause, without waiting for the poll', async t => {
  const { database, bench, log, start, until, waiting } = await stage(t)
  bench.work = async (_, { attempt }) => {
    if (attempt === 1) throw new Error('not yet')
  }
  const worker = await start()
  await enqueue(database, fragile, { text: 'again' })
  await until(2)
  await worker.close()
  assert.deepEqual(
    bench.runs.map(run => run.attempt),
    [1, 2],
  )
  const [first, second] = bench.runs
  const pauseMs = (second?.atMs ?? 0) - (first?.atMs ?? 0)
  assert.ok(pauseMs >= Math.E * 1000 && pauseMs < 10_000, `paused ${pauseMs} ms`)
  assert.deepEqual(await waiting(), [])
  assert.deepEqual(worker.statistics(), { succeeded: 1, failed: 1, givenUp: 0 })
  const warned = log.find(line => line.message === 'a job failed and will be retried')
  assert.deepEqual(
    [warned?.level, Object.keys(warned?.fields ?? {})],
    ['warn', ['job', 'id', 'attempt', 'err', 'retryInMs']],
  )
})

test('a job whose last attempt fails is stored with its error, and logged', async t => {
  const { database, bench, log, start, until, waiting } = await stage(t)
  bench.work = async () => {
    throw new Error('no use')
  }
  const worker = await start()
  await enqueue(database, hopeless, { text: 'in vain' })
  await until(1)
  await worker.close()
  assert.deepEqual(await waiting(), [{ task_identifier: 'hopeless', attempts: 1, last_error: 'no use' }])
  assert.equal(bench.runs.length, 1)
  assert.equal(worker.statistics().givenUp, 1)
  const errors = log.filter(line => line.level === 'error')
  assert.deepEqual(
    errors.map(line => line.message),
    ['a job failed for the last time'],
  )
})

test('a payload that cannot be parsed is a failure of the job', async t => {
  const { database, bench, start, log, waiting } = await stage(t)
  const worker = await start()
  await database.withClient(client =>
    client.query(`select graphile_worker.add_job('hopeless', '[1]', max_attempts => 1)`),
  )
  const when = AbortSignal.timeout(TIMEOUT_MS)
  while (worker.statistics().givenUp === 0) {
    when.throwIfAborted()
    await new Promise(resolve => setImmediate(resolve))
  }
  await worker.close()
  assert.equal(bench.runs.length, 0)
  assert.equal((await waiting())[0]?.last_error, 'not a text')
  assert.equal(log.filter(line => line.message === 'a job failed for the last time').length, 1)
})

test('a deferred job runs at its time, in whichever process', async t => {
  const { database, bench, start, until } = await stage(t)
  await start()
  await start()
  const at = new Date(Date.now() + 1500)
  await enqueue(database, note, { text: 'later' }, { at })
  await enqueue(database, note, { text: 'now' })
  await until(2)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['now', 'later'],
  )
  const lateMs = (bench.runs[1]?.atMs ?? 0) - at.getTime()
  assert.ok(lateMs >= 0 && lateMs < 5000, `${lateMs} ms late`)
})

test('a job that was deferred while no worker ran starts at its time', async t => {
  const { database, bench, start, until } = await stage(t)
  const at = new Date(Date.now() + 1500)
  await enqueue(database, note, { text: 'later' }, { at })
  await start()
  await until(1)
  assert.ok((bench.runs[0]?.atMs ?? 0) >= at.getTime())
})

test('a job of a clock that was in the future waits from now on, unless its time was chosen', async t => {
  const { database, bench, start, until, waiting } = await stage(t)
  const day = 24 * 3_600_000
  await enqueue(database, note, { text: 'wait' }, { at: new Date(Date.now() + day) })
  await enqueue(database, appointment, { text: 'chosen' }, { at: new Date(Date.now() + day) })
  await database.withClient(client =>
    client.query(`update graphile_worker._private_jobs set updated_at = now() + interval '1 day'`),
  )
  await start()
  await until(1)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['wait'],
  )
  assert.deepEqual(
    (await waiting()).map(({ task_identifier: name }) => name),
    ['appointment'],
  )
})

test('jobs that are due by a clock that was set run at once', async t => {
  const { database, start, until, log } = await stage(t)
  await start()
  await enqueue(database, note, { text: 'before' })
  await until(1)
  const timers = fakeTimers(t)
  timers.enable({ apis: ['Date'], now: Date.now() - 3 * 3_600_000 })
  const when = AbortSignal.timeout(TIMEOUT_MS)
  while (!log.some(({ message }) => message.startsWith('the clock was set'))) {
    when.throwIfAborted()
    await new Promise(resolve => setImmediate(resolve))
  }
  await enqueue(database, note, { text: 'after' })
  await until(2)
  timers.reset()
})

test('a job that runs for many hours is not run a second time', async t => {
  const { database, bench, start, waiting } = await stage(t)
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bench.work = () => {
    begun.resolve()
    return end.promise
  }
  t.after(() => end.resolve())
  const timers = fakeTimers(t)
  timers.enable({ apis: ['setInterval'] })
  await start(2)
  await database.withClient(client =>
    client.query(`select graphile_worker.add_job('note', '{"text": "long"}', queue_name => 'long')`),
  )
  await begun.promise
  await database.withClient(async client => {
    const jobs = 'graphile_worker._private_jobs'
    const queues = `graphile_worker._private_job_queues`
    for (const table of [jobs, queues])
      await client.query(`update ${table} set locked_at = now() - interval '3.5 hours' where locked_at is not null`)
    timers.tick(3_600_000)
    const when = AbortSignal.timeout(TIMEOUT_MS)
    const fresh = `
      select count(*)::integer as locked
      from (select locked_at from ${jobs} union all select locked_at from ${queues}) l
      where locked_at > now() - interval '1 minute'`
    while ((await client.query<{ locked: number }>(fresh)).rows[0]?.locked !== 2) when.throwIfAborted()
  })
  timers.reset()
  assert.equal((await waiting()).length, 1)
  assert.equal(bench.runs.length, 1)
})

test('a key replaces the job that waits under it', async t => {
  const { database, bench, start, until, waiting } = await stage(t)
  await enqueue(database, note, { text: 'old' }, { key: 'draft', at: new Date(Date.now() + 3_600_000) })
  await enqueue(database, note, { text: 'new' }, { key: 'draft' })
  assert.equal((await waiting()).length, 1)
  await start()
  await until(1)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['new'],
  )
})

test('close waits for the running job', async t => {
  const { database, bench, start } = await stage(t)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let finished = false
  bench.work = async () => {
    begun.resolve()
    await gate.promise
    finished = true
  }
  const worker = await start()
  await enqueue(database, note, { text: 'slow' })
  await begun.promise
  const closed = worker.close()
  assert.equal(finished, false)
  gate.resolve()
  await closed
  assert.equal(finished, true)
  assert.equal(worker.statistics().succeeded, 1)
})

test('the jobs of dead workers are taken over, those of living ones are not', async t => {
  const { database, bench, start, until, waiting } = await stage(t)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  bench.work = async text => {
    if (text !== 'held') return
    begun.resolve()
    await gate.promise
  }
  const living = await start()
  await enqueue(database, note, { text: 'held' })
  await begun.promise
  await enqueue(database, note, { text: 'orphan' })
  await database.withClient(client =>
    client.query(`
      update graphile_worker._private_jobs
      set locked_at = now() - interval '1 minute', locked_by = coalesce(locked_by, 'pool-of-the-dead'), attempts = 1
    `),
  )
  const second = await start()
  await until(2)
  assert.deepEqual(
    bench.runs.map(run => run.text),
    ['held', 'orphan'],
  )
  gate.resolve()
  await Promise.all([living.close(), second.close()])
  assert.deepEqual(await waiting(), [])
})

test('jobs continue after all connections were lost', async t => {
  const { database, bench, start, until } = await stage(t)
  await start()
  await enqueue(database, note, { text: 'before' })
  await until(1)
  await database.withClient(client =>
    client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
    `),
  )
  await enqueue(database, note, { text: 'after' })
  await until(2)
  assert.equal(bench.runs[1]?.text, 'after')
})

test('a worker that cannot write the end of a job is restarted', async t => {
  const { connection, database, bench, log, start, until } = await stage(t)
  const url = new URL(connection.connectionString ?? '')
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const admin = openDatabase({ connection: { connectionString: url.href }, poolSize: 1 })
  t.after(() => admin.close())
  const execute = (text: string): Promise<unknown> => admin.withClient(client => client.query(text))
  const stopped = Promise.withResolvers<void>()
  bench.work = async text => {
    if (text !== 'cut off') return
    await execute(`alter database ${name} with allow_connections false`)
    await execute(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
  const push = log.push.bind(log)
  log.push = (...lines) => {
    if (lines.some(line => line.message === 'job worker stopped; restarting it')) stopped.resolve()
    return push(...lines)
  }
  await start()
  await enqueue(database, note, { text: 'cut off' })
  await stopped.promise
  await execute(`alter database ${name} with allow_connections true`)
  await enqueue(database, note, { text: 'after' })
  await until(2)
  assert.equal(bench.runs[1]?.text, 'after')
})

test('jobs go on after the sessions of the worker were read-only', async t => {
  const { connection, database, bench, log, start, until } = await stage(t)
  await start()
  const failed = Promise.withResolvers<void>()
  const push = log.push.bind(log)
  log.push = (...lines) => {
    if (JSON.stringify(lines).includes('Failed to acquire job')) failed.resolve()
    return push(...lines)
  }
  const server = readOnlySwitch(connection.connectionString ?? '')
  await server.on()
  await assert.rejects(enqueue(database, note, { text: 'refused' }), { code: 'unavailable' })
  // Another server enqueues a job, which the worker cannot fetch.
  await server.write(`select graphile_worker.add_job('note', '{"text": "waiting"}')`)
  await failed.promise
  await server.off()
  await until(1)
  assert.equal(bench.runs[0]?.text, 'waiting')
})
