import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type Test } from 'tap'
import { createWebhook } from '../../../src/administration/webhooks/index.ts'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { person, sql } from '../../support/people.ts'
import { sharedServer, startServer, type ServerAddress } from '../../support/server.ts'

/** Creates webhooks for new posts at these addresses; returns their ids. */
async function createWebhooks(t: Test, server: ServerAddress, urls: readonly string[]): Promise<string[]> {
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  const ids: string[] = []
  for (const url of urls) ids.push((await createWebhook(database, null, { url, events: ['status.created'] })).id)
  return ids
}

/** A receiver that accepts connections and never answers, or breaks them off. */
async function startSilent(t: Test, onConnection: (socket: Socket) => void = () => {}) {
  const open = new Set<Socket>()
  const seen = { connections: 0, most: 0 }
  const server = createServer(socket => {
    socket.on('error', () => {})
    open.add(socket)
    seen.connections += 1
    seen.most = Math.max(seen.most, open.size)
    socket.once('close', () => open.delete(socket))
    socket.resume()
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const waitingJobs = (server: ServerAddress, ids: readonly string[]) =>
  sql(
    server,
    `select j.id::text, j.last_error, j.attempts, j.priority, q.queue_name as queue
     from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id
     where j.payload ->> 'webhook' = any ($1) and j.locked_at is null
     order by j.id`,
    [ids],
  )

test('receivers that never answer occupy two of the parallel jobs at most, however many they are', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const silent = await startSilent(t)
  const urls = ['a', 'b', 'c', 'd'].map(name => `${silent.url}/${name}`)
  await createWebhooks(t, server, urls)
  for (const text of ['one', 'two', 'three', 'four']) await alice.postStatus(text)
  await becomes(async () => silent.seen.most >= 2, true, 'two deliveries wait')
  await sql(server, `select enqueue('authorization.trim', '{}', job_key => n::text) from generate_series(1, 20) n`)
  const others = `select from graphile_worker.jobs where task_identifier = 'authorization.trim'`
  await becomes(async () => (await sql(server, others)).length, 0, 'other jobs run')
  assert.equal(silent.seen.most, 2)
})

test('a receiver that did not respond three times is skipped for a while', async t => {
  const server = await sharedServer()
  const alice = await person(server, 'alice')
  const broken = await startSilent(t, socket => socket.destroy())
  const [id = ''] = await createWebhooks(t, server, [broken.url])
  for (const text of ['one', 'two', 'three', 'four']) await alice.postStatus(text)
  const errors = async () => (await waitingJobs(server, [id])).map(job => Boolean(job['last_error']))
  await becomes(errors, [true, true, true, true], 'all have failed')
  assert.equal(broken.seen.connections, 3)
  const last = (await waitingJobs(server, [id])).at(-1)
  assert.equal(last?.['last_error'], `${new URL(broken.url).host} has not responded recently`)
  assert.deepEqual(
    await sql(server, 'select failures from webhooks where id = $1', [id]),
    [{ failures: 3 }],
    'what was not tried is no failure of the receiver',
  )
})

test('deliveries in the four queues that a webhook had move to its queue', async () => {
  const server = await sharedServer()
  const ids = ['7000000001', '7000000002']
  for (const id of ids) {
    for (const part of [0, 3]) {
      const payload = JSON.stringify({ webhook: id, event: 'status.created', subject: '1', at: '2026-01-01T00:00:00Z' })
      const old = `select enqueue('webhooks.deliver', $1::json, queue_name => $2, run_at => now() + interval '1 hour')`
      await sql(server, old, [payload, `webhooks:${id}:${part}`])
    }
  }
  await sql(server, readFileSync(new URL('../../../sql/migrations/0096_webhook_queues.sql', import.meta.url), 'utf8'))
  assert.deepEqual(
    (await waitingJobs(server, ids)).map(({ queue, priority }) => [queue, priority]),
    [
      ['webhooks:1', 20],
      ['webhooks:1', 20],
      ['webhooks:0', 20],
      ['webhooks:0', 20],
    ],
  )
})
