import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { RawConnection } from '../../support/raw_http.ts'
import { sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { startDatabaseProxy } from '../../support/tcp_proxy.ts'

test('health checks tell of database, disk and jobs apart', async t => {
  const { databaseUrl } = await startServer(t)
  const proxy = await startDatabaseProxy(t, databaseUrl)
  const server = await startServer(t, { databaseUrl: proxy.url })
  const client = new Client(server)
  const check = async (): Promise<Record<string, number>> => {
    const statuses = ['', '/database', '/disk', '/jobs'].map(
      async part => [part, (await client.get(`/health${part}`)).status] as const,
    )
    return Object.fromEntries(await Promise.all(statuses))
  }
  assert.deepEqual(await check(), { '': 200, '/database': 200, '/disk': 200, '/jobs': 200 })
  const response = await client.get('/health/disk')
  assert.deepEqual([response.text, response.headers.get('cache-control')], ['OK', 'private, no-store'])

  // One of a kind that this release does not have waits for another, and one that has failed for
  // good is no fault of the queue.
  await sql(server, `select graphile_worker.add_job('test.unknown', run_at => now() - interval '1 hour')`)
  assert.equal((await check())['/jobs'], 200)
  await sql(server, `insert into graphile_worker._private_job_queues (queue_name, locked_at) values ('stuck', now())`)
  const stuck = `select graphile_worker.add_job('letters.notice', queue_name => 'stuck', run_at => now() - interval '1 hour')`
  await sql(server, stuck)
  assert.deepEqual(await check(), { '': 200, '/database': 200, '/disk': 200, '/jobs': 503 })
  assert.deepEqual((await client.get('/health/jobs')).json, { error: 'Background jobs wait for more than ten minutes' })
  await sql(server, `update graphile_worker._private_jobs set attempts = max_attempts where attempts = 0`)
  assert.equal((await check())['/jobs'], 200)

  await rm(server.config.dataDir, { recursive: true })
  assert.deepEqual(await check(), { '': 200, '/database': 200, '/disk': 503, '/jobs': 200 })
  proxy.remove()
  assert.equal((await client.get('/health/database')).status, 503)
})

test('the check needs no token, and neither the name nor the protocol of the server', async t => {
  const server = await startServer(t, { env: { PUBLIC_URL: 'https://mill.example' } })
  const connection = await RawConnection.open(`http://127.0.0.1:${server.config.port}`)
  t.after(() => connection.close())
  for (const host of ['elsewhere.example', '10.0.0.1:8080']) {
    const { status, body } = await connection.request('GET /health HTTP/1.1', [`Host: ${host}`])
    assert.deepEqual([status, body], [200, 'OK'], host)
  }
})
