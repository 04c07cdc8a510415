import assert from 'node:assert/strict'
import { test } from 'tap'
import { createSample } from '../../src/platform/metrics/sample.ts'
import { fakeTimers } from '../support/fake_timers.ts'
import { Client } from '../support/client.ts'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'

test('metrics tell of jobs, people, posts, mail and space', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  await person(server, 'bob', { user: { last_active_at: new Date() } })
  await alice.postStatus('one')
  await alice.postStatus('two')
  // Nothing runs jobs of an unknown kind.
  await sql(server, `select graphile_worker.add_job('test.unknown', run_at => now() - interval '1 hour')`)
  await sql(server, `select graphile_worker.add_job('test.unknown', run_at => now() + interval '1 hour')`)
  await sql(server, `select graphile_worker.add_job('test.failed', max_attempts => 1)`)
  await sql(
    server,
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'no'
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'test.failed')`,
  )
  // On a busy machine a scrape shows the figures of the one before.
  let text = ''
  while (!/^millrace_jobs_waiting \d+$/m.test(text) || !/^millrace_database_bytes \d+$/m.test(text))
    text = (await new Client(server).get('/metrics')).text
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  // Others, of the posts, come and go.
  assert.ok(read('millrace_jobs_waiting') >= 1)
  assert.equal(read('millrace_jobs_failed'), 1)
  assert.ok(read('millrace_jobs_oldest_seconds') >= 3600)
  assert.equal(read('millrace_users'), 2)
  assert.ok(read('millrace_users_active_month') >= 1)
  assert.equal(read('millrace_statuses'), 2)
  assert.ok(read('millrace_database_bytes') > 1_000_000)
  assert.equal(read('millrace_media_bytes'), 0)
  assert.ok(read('millrace_disk_free_bytes') > 0)
  assert.ok(read('millrace_disk_bytes') > read('millrace_disk_free_bytes'))
})

test('figures are read once for the scrapes of a time, and a slow or failing reading does not hold up a scrape', async t => {
  const timers = fakeTimers(t)
  timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  let response = Promise.withResolvers<number>()
  const errors: unknown[] = []
  const sample = createSample(
    () => {
      reads += 1
      return response.promise
    },
    60_000,
    error => errors.push(error),
  )
  const [first, second] = [sample(), sample()]
  timers.tick(1_000)
  assert.deepEqual([await first, await second, reads], [undefined, undefined, 1])
  response.resolve(7)
  assert.deepEqual([await sample(), await sample(), reads], [7, 7, 1])

  response = Promise.withResolvers<number>()
  const failing = createSample(
    () => response.promise,
    0,
    error => errors.push(error),
  )
  response.reject(new Error('away'))
  assert.equal(await failing(), undefined)
  assert.equal(errors.length, 1)
})
