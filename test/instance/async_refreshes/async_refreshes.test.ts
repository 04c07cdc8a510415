import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Client } from '../../support/client.ts'
import { makeToken, people, sql } from '../../support/people.ts'

const PATH = '/api/v1_alpha/async_refreshes'

test('a finished refresh shows its count and is removed after an hour', async t => {
  const { server, alice } = await people(t, 'alice')
  const [made] = await sql(
    server,
    `insert into async_refreshes (key, result_count, finished_at) values ($1, 3, now() - interval '59 minutes') returning id::text`,
    [`test:${alice.id}`],
  )
  const id = String(made?.['id'])
  assert.deepEqual((await alice.get(`${PATH}/${id}`)).json, {
    async_refresh: { id, status: 'finished', result_count: 3 },
  })
  await sql(server, `update async_refreshes set finished_at = now() - interval '61 minutes' where id = $1`, [id])
  const expired = await alice.get(`${PATH}/${id}`)
  assert.deepEqual([expired.status, expired.json], [404, { error: 'Not Found' }])
})

test('unknown and forged ids are not found, and reading needs the scope read', async t => {
  const { server, alice } = await people(t, 'alice')
  for (const id of [randomUUID(), '1', 'x--y']) {
    const response = await alice.get(`${PATH}/${id}`)
    assert.deepEqual([response.status, response.json], [404, { error: 'Not Found' }], id)
  }
  for (const [scope, status] of [
    ['read:accounts', 403],
    ['read:statuses', 403],
    ['write', 403],
    ['read', 404],
  ] as const) {
    const client = new Client(server, await makeToken(server, alice.userId, [scope]))
    const { status: found, headers } = await client.get(`${PATH}/${randomUUID()}`)
    assert.equal(found, status, scope)
    assert.match(headers.get('access-control-expose-headers') ?? '', /\bMastodon-Async-Refresh\b/)
  }
})

test('running work is forgotten after a day, finished work after an hour', async t => {
  const { server, alice } = await people(t, 'alice')
  const rows = [
    ['running', '23 hours 59 minutes', null],
    ['stuck', '24 hours 1 minute', null],
    ['finished', '59 minutes', '59 minutes'],
    ['over', '61 minutes', '61 minutes'],
  ] as const
  for (const [key, began, ended] of rows)
    await sql(
      server,
      'insert into async_refreshes (key, created_at, finished_at) values ($1, now() - $2::interval, now() - $3::interval)',
      [`${key}:${alice.id}`, began, ended],
    )
  await sql(server, `select graphile_worker.add_job('async_refreshes.forget')`)
  const kept = async (): Promise<(string | undefined)[]> =>
    (await sql(server, 'select key from async_refreshes where key like $1 order by created_at', [`%:${alice.id}`])).map(
      ({ key }) => String(key).split(':')[0],
    )
  await until(kept, keys => keys.length < rows.length, 'the job')
  assert.deepEqual(await kept(), ['running', 'finished'])
})
