import assert from 'node:assert/strict'
import { test } from 'tap'
import { cursorOf, type Cursor } from '../../../src/platform/events/index.ts'
import { connect, openLog, take, write } from './log.ts'

const LONG = { timeoutMs: 60_000 }

test('a position is reached when its event has been emitted, and not while the log is held back', async t => {
  const { log, url } = await openLog(t)
  const [client, holder] = [await connect(t, url), await connect(t, url)]
  const emitted = take(log.log$, 1)
  await write(client)
  const [first] = await emitted
  assert.ok(first)
  assert.equal(await log.reached(cursorOf(first), { timeoutMs: 0 }), true)
  await holder.query('begin')
  await holder.query('select pg_current_xact_id()')
  const id = await write(client)
  const { rows } = await client.query<{ position: Cursor }>(
    `select e.txid || '-' || e.id as position from events e where e.id = $1`,
    [id],
  )
  const [{ position } = { position: '' }] = rows
  assert.equal(await log.reached(position, { timeoutMs: 1 }), false)
  const leaving = new AbortController()
  const interrupted = log.reached(position, { ...LONG, signal: leaving.signal })
  leaving.abort(new Error('the end'))
  await assert.rejects(interrupted, /the end/)
  const waiting = log.reached(position, LONG)
  await holder.query('rollback')
  assert.equal(await waiting, true)
})

test('nobody waits for a log that is closed', async t => {
  const { log } = await openLog(t)
  const waiting = log.reached(`${2n ** 64n - 1n}-0`, LONG)
  await log.close()
  assert.equal(await waiting, false)
})
