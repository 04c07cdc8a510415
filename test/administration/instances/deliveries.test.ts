import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/deliveries'

test('servers to which deliveries fail are listed, retried and purged', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH])
  const { person, browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, `${PATH}/retry`, { host: 'down.example' })
  assert.match(readText(await browser.get(PATH)), /Deliveries fail nowhere/)
  await sql(
    server,
    `insert into delivery_hosts (host, failures, failed_days, last_failed_at, last_error, unavailable_since) values
       ('down.example', 3, array[current_date], now(), '503', null), ('gone.example', 70, '{}', now(), 'timeout', now())`,
  )
  await sql(
    server,
    `select graphile_worker.add_job('federation.deliver', max_attempts => 3, run_at => now() + interval '1 day',
       payload => json_build_object('activity', '1', 'inboxes', json_build_array('https://down.example/inbox'), 'attempt', 2))`,
  )
  await sql(server, `insert into delivery_successes (host, at) values ('gone.example', '2024-02-03')`)
  const page = await browser.get(PATH)
  const shown = /down\.example Failing 3 .* 503 – 1 .*gone\.example Given up since .* 70 .* timeout .*2024.* 0 –/
  assert.match(readText(page), shown)
  await browser.submit(page, `${PATH}/purge`, { host: 'down.example' })
  assert.match(readText(await browser.get(PATH)), /1 delivery was deleted/)
  await browser.submit(page, `${PATH}/retry`, { host: 'gone.example' })
  const after = readText(await browser.get(PATH))
  assert.match(after, /0 deliveries are tried again/)
  assert.ok(!after.includes('gone.example'), 'its failures are forgotten')
  await browser.submit(page, `${PATH}/retry`, { host: 'nobody.example' })
  assert.match(readText(await browser.get(PATH)), /Nothing has failed at this server/)
  assert.deepEqual(await loggedActions(server, person), ['destroy Job down.example', 'retry Job gone.example'])
})
