import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client } from '../../support/client.ts'
import { fakeTimers } from '../../support/fake_timers.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { startPushService, type Device, type PushAnswer } from './push_service.ts'

const PATH = '/api/v1/push/subscription'
const PATHS = [PATH, `${PATH}s`]
const LOOK_EVERY_MS = 20
/** Longer than the timeout of a push. */
const WAIT_MS = 20_000

/** Polls until a value is found, because the end of a job has no event to wait for. */
async function until<T>(look: () => Promise<T | undefined>, wanted: string): Promise<T> {
  const endMs = Date.now() + WAIT_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`${wanted} did not come`)
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function subscribe(client: Client, { subscription }: Device, path = PATH): Promise<void> {
  const response = await client.post(path, { subscription, data: { alerts: { follow: true, favourite: true } } })
  assert.equal(response.status, 200, response.text)
}

/** The push jobs of a person. */
const jobsOf = (to: Person) =>
  sql(
    to.server,
    `select j.id::text, j.attempts, j.max_attempts, j.locked_at is not null as running, j.run_at > now() as waits, j.last_error,
       extract(epoch from j.run_at - j.updated_at)::float as waits_seconds
     from graphile_worker.jobs j
     join push_subscriptions p on j.key like 'push:' || p.id || ':%'
     where p.user_id = $1`,
    [to.userId],
  )

/** Waits until the job of a person has failed this many times. */
const failed = (to: Person, attempts: number) =>
  until(
    async () => (await jobsOf(to)).find(job => job['attempts'] === attempts && job['running'] === false),
    `failure ${attempts}`,
  )

/** Runs a job now instead of after its pause. */
const runNow = async (to: Person, job: Record<string, unknown>): Promise<void> => {
  await sql(to.server, `select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())`, [job['id']])
  await sql(to.server, `select pg_notify('jobs:insert', '{"count":1}')`)
}

async function subscribed(t: Test, answers: PushAnswer[], path = PATH) {
  const made = await people(t, 'alice', 'bob', 'carol')
  const service = await startPushService(t)
  const device = service.device({ standard: true, answers })
  await subscribe(made.alice, device, path)
  return { ...made, service, device }
}

const isRemoved = async (who: Client): Promise<true | undefined> =>
  (await who.get(PATH)).status === 404 ? true : undefined

for (const [path, status] of PATHS.flatMap(path => [404, 410, 403].map(status => [path, status] as const))) {
  test(`a subscription whose push service answers ${status} is removed: ${path}`, async t => {
    const { alice, bob, service, device } = await subscribed(t, [status], path)
    await bob.follow(alice)
    await service.next(device)
    await until(() => isRemoved(alice), 'the end of the subscription')
    assert.deepEqual(await jobsOf(alice), [])
  })
}

test('a subscription stays when its push service refuses one message for its size', async t => {
  const { alice, bob, carol, service, device } = await subscribed(t, [413])
  await bob.follow(alice)
  await service.next(device)
  await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the job')
  await carol.follow(alice)
  assert.equal((await service.next(device)).message['notification_type'], 'follow')
})

test('a subscription that was replaced meanwhile is not removed', async t => {
  const { alice, bob, service, device } = await subscribed(t, [503, 410])
  const fresh = service.device({ standard: true })
  await bob.follow(alice)
  await service.next(device)
  await subscribe(alice, fresh)
  await runNow(alice, await failed(alice, 1))
  await service.next(fresh)
  assert.equal((await alice.get(PATH)).status, 200)
})

for (const path of PATHS) {
  test(`429, 408, 5xx and redirects are retried with pauses until the push succeeds: ${path}`, async t => {
    const statuses = [429, 500, 302, 408, 503]
    const { alice, bob, service, device } = await subscribed(t, statuses, path)
    await bob.follow(alice)
    for (const [index, status] of statuses.entries()) {
      await service.next(device)
      const job = await failed(alice, index + 1)
      assert.deepEqual([job['waits'], job['max_attempts']], [true, 6])
      assert.match(String(job['last_error']), new RegExp(`^the push service 127.0.0.1:\\d+ answered ${status}$`))
      await runNow(alice, job)
    }
    await service.next(device)
    await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the job')
    assert.equal((await alice.get(PATH)).status, 200)
  })
}

test('a push waits as long as Retry-After says, within the same number of attempts', async t => {
  const answers: PushAnswer[] = [
    { status: 429, retryAfter: '3600' },
    { status: 503, retryAfter: new Date(Date.now() + 7200_000).toUTCString() },
    500,
    ...[1, 2, 3].map(() => ({ status: 503, retryAfter: '60' })),
  ]
  const { alice, bob, service, device } = await subscribed(t, answers)
  await bob.follow(alice)
  const next = async (attempts: number, left: number, seconds: number): Promise<void> => {
    await service.next(device)
    const job = await until(async () => {
      const [found, ...others] = await jobsOf(alice)
      assert.deepEqual(others, [])
      const isIt = found?.['attempts'] === attempts && found['max_attempts'] === left && found['running'] === false
      return isIt ? found : undefined
    }, `a job after ${attempts} of ${left} attempts`)
    const waits = Number(job['waits_seconds'])
    assert.ok(waits > seconds * 0.9 && waits <= seconds + 1, `${waits} seconds`)
    await runNow(alice, job)
  }
  await next(0, 5, 3600)
  await next(0, 4, 7200)
  // The usual pause after the first attempt of the replaced job.
  await next(1, 4, Math.E)
  // The fourth and fifth attempts: the usual pause is about as long as the requested one.
  await next(0, 2, 60)
  await next(0, 1, Math.exp(5))
  await service.next(device)
  const [last] = await until(async () => {
    const jobs = await jobsOf(alice)
    return jobs[0]?.['attempts'] === 1 && jobs[0]['running'] === false ? jobs : undefined
  }, 'the last attempt')
  assert.deepEqual([last?.['attempts'], last?.['max_attempts']], [1, 1])
})

test('a push that may only be repeated after its time is abandoned', async t => {
  const { alice, bob, service, device } = await subscribed(t, [{ status: 429, retryAfter: '999999999' }])
  await bob.follow(alice)
  await service.next(device)
  await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the job')
  assert.equal((await alice.get(PATH)).status, 200)
})

test('a push is abandoned after six attempts, and the subscription stays', async t => {
  const { alice, bob, service, device } = await subscribed(t, Array<number>(7).fill(500))
  await bob.follow(alice)
  await service.next(device)
  await sql(alice.server, `update graphile_worker._private_jobs set attempts = 5 where id = $1`, [
    (await failed(alice, 1))['id'],
  ])
  await runNow(alice, await failed(alice, 5))
  await service.next(device)
  await failed(alice, 6)
  assert.equal((await alice.get(PATH)).status, 200)
})

test('a push whose cause was undone is not retried', async t => {
  const { alice, bob, service, device } = await subscribed(t, [500])
  const status = await alice.postStatus('like me')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await service.next(device)
  const job = await failed(alice, 1)
  await bob.post(`/api/v1/statuses/${status.id}/unfavourite`)
  await runNow(alice, job)
  await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the job')
  assert.deepEqual(service.inbox.messages, [])
})

for (const path of PATHS) {
  test(`a push about a notification older than two days is not retried: ${path}`, async t => {
    const { alice, bob, service, device, server } = await subscribed(t, [500], path)
    await bob.follow(alice)
    await service.next(device)
    const job = await failed(alice, 1)
    await sql(server, `update notifications set created_at = now() - interval '49 hours' where account_id = $1`, [
      alice.id,
    ])
    await runNow(alice, job)
    await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the job')
    assert.deepEqual(service.inbox.messages, [])
  })
}

test('a push service that does not respond is retried after a timeout', { timeout: 40_000 }, async t => {
  const { alice, bob, service, device } = await subscribed(t, [null])
  await bob.follow(alice)
  await service.next(device)
  const job = await failed(alice, 1)
  assert.match(String(job['last_error']), /^127\.0\.0\.1:\d+ took too long$/)
  await runNow(alice, job)
  await service.next(device)
})

for (const path of PATHS) {
  test(`the unsubscribe link of a message removes the subscription only for its endpoint: ${path}`, async t => {
    const { alice, bob, anonymous, service } = await subscribed(t, [], path)
    const link = async (): Promise<string> => {
      await bob.post(`/api/v1/accounts/${alice.id}/unfollow`)
      await bob.follow(alice)
      const { headers } = await service.inbox.take('a push', () => true)
      return new URL(String(headers['unsubscribe-url'])).pathname
    }
    const old = await link()
    assert.match(old, /^\/api\/web\/push_subscriptions\/[\w.-]+$/)
    await subscribe(alice, service.device())
    assert.equal((await anonymous.delete(old)).status, 200)
    assert.equal((await alice.get(PATH)).status, 200)
    const fresh = await link()
    await anonymous.delete(`${fresh}x`)
    assert.equal((await alice.get(PATH)).status, 200)
    fakeTimers(t).enable({ apis: ['Date'], now: Date.now() + 49 * 3_600_000 })
    const late = await anonymous.delete(fresh)
    assert.deepEqual([late.status, late.text], [200, ''])
    assert.equal((await alice.get(PATH)).status, 200)
    fakeTimers(t).reset()
    const ended = await anonymous.delete(fresh)
    assert.deepEqual([ended.status, ended.text], [200, ''])
    assert.equal((await alice.get(PATH)).status, 404)
  })
}

for (const path of PATHS) {
  test(`revoking a token removes its subscription: ${path}`, async t => {
    const { alice, server } = await subscribed(t, [], path)
    const [application] = await sql(
      server,
      `update applications a set client_secret_hash = sha256('s') from oauth_tokens k
     where k.application_id = a.id and k.user_id = $1 returning a.client_id`,
      [alice.userId],
    )
    const body = { client_id: application?.['client_id'], client_secret: 's', token: alice.token }
    assert.equal((await alice.post('/oauth/revoke', body)).status, 200)
    assert.deepEqual(await sql(server, 'select id from push_subscriptions where user_id = $1', [alice.userId]), [])
  })
}

test('two servers on one database send a push once', async t => {
  const { server, alice, bob, service, device } = await subscribed(t, [])
  const second = await startServer(t, { databaseUrl: server.databaseUrl })
  const status = await alice.postStatus('like me')
  const carol = await person(second, 'carol')
  await bob.follow(alice)
  await new Client(second, carol.token).post(`/api/v1/statuses/${status.id}/favourite`)
  const types = new Set<unknown>()
  for (const _ of [1, 2]) types.add((await service.next(device)).message['notification_type'])
  assert.deepEqual(types, new Set(['favourite', 'follow']))
  await until(async () => ((await jobsOf(alice)).length === 0 ? true : undefined), 'the end of the jobs')
  assert.deepEqual(service.inbox.messages, [])
})

test('a push to a private address is refused unless it is allowed', async t => {
  const server = await startServer(t, { env: { ALLOW_PRIVATE_ADDRESSES: 'off' } })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const service = await startPushService(t)
  await subscribe(alice, service.device())
  await bob.follow(alice)
  await until(async () => server.log.find(line => line['msg'] === 'a push message was not sent'), 'the refusal')
  assert.deepEqual(service.inbox.messages, [])
  assert.equal((await alice.get(PATH)).status, 200)
})
