import assert from 'node:assert/strict'
import { once } from 'node:events'
import type pg from 'pg'
import { test } from 'tap'
import type { EventLog } from '../../../src/platform/events/index.ts'
import { connect, idsOf, openLog, openLogOn, take, write } from './log.ts'

/** How many notifications the process sends when it is asked once. */
async function sentBy(log: EventLog, listener: pg.Client): Promise<number> {
  const payloads: (string | undefined)[] = []
  const hear = ({ payload }: pg.Notification): void => void payloads.push(payload)
  listener.on('notification', hear)
  log.notify()
  const [row] = (await listener.query<{ mark: string }>('select gen_random_uuid()::text as mark')).rows
  await listener.query(`select pg_notify('events', $1)`, [row?.mark])
  while (!payloads.includes(row?.mark)) await once(listener, 'notification')
  listener.off('notification', hear)
  return payloads.length - 1
}

test('a process that listens alone sends no notifications, until another one listens', async t => {
  const { url, log } = await openLog(t)
  const listener = await connect(t, url)
  await listener.query('listen events')
  const until = Date.now() + 30_000
  for (let silent = 0; silent < 3; silent = (await sentBy(log, listener)) === 0 ? silent + 1 : 0)
    assert.ok(Date.now() < until, 'it goes on notifying nobody')
  const { log: newcomer } = await openLogOn(t, url)
  const client = await connect(t, url)
  await client.query(`set millrace.defer_notify = 'on'`)
  const came = take(newcomer.log$, 2)
  const ids = [await write(client)]
  log.notify()
  ids.push(await write(client))
  log.notify()
  assert.deepEqual(idsOf(await came), ids)
})
