import assert from 'node:assert/strict'
import type pg from 'pg'
import { filter } from 'rxjs'
import { test, type Test } from 'tap'
import { c, type Query } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { compareCursors, cursorOf } from '../../../src/platform/events/index.ts'
import { connect, idsOf, openLog, openLogOn, take, write, type Opened } from './log.ts'

const WRITERS = 8

/**
 * Runs transactions of random length, one in five rolled back, until `going` is false; returns the
 * committed ids.
 */
async function writeAtRandom(client: pg.Client, going: () => boolean): Promise<string[]> {
  const committed: string[] = []
  while (going()) {
    const ids: string[] = []
    await client.query('begin')
    for (let left = Math.ceil(Math.random() * 5); left > 0; left -= 1) {
      ids.push(await write(client))
      if (Math.random() < 0.1) await client.query('select pg_sleep($1)', [Math.random() * 0.02])
    }
    const kept = Math.random() < 0.8
    await client.query(kept ? 'commit' : 'rollback')
    if (kept) committed.push(...ids)
  }
  return committed
}

function assertInOrder(events: readonly LoggedEvent[]): void {
  const cursors = events.map(cursorOf)
  for (const [at, cursor] of cursors.entries()) {
    const before = cursors[at - 1]
    if (before !== undefined) assert.ok(compareCursors(before, cursor) < 0, `${before} came before ${cursor}`)
  }
}

function assertSame(got: readonly string[], written: readonly string[]): void {
  const unique = new Set(got)
  assert.equal(got.length - unique.size, 0, 'events that came twice')
  assert.equal(written.filter(id => !unique.has(id)).length, 0, 'events that were lost')
  assert.equal(got.length, written.length)
}

/** Of a kind that no catalogue has. */
const isLast = ({ kind }: { readonly kind: string }): boolean => kind === 'test.last'

/** Logs events and returns all of them, in any order; the readers of the log are not notified. */
const logOwn: Query<{ count: typeof c.integer }, { events: typeof c.events }> = {
  name: 'log_own',
  text: `
    with logged as (
      insert into events (kind, account_id)
      select 'test.done', 1
      from (select set_config('millrace.defer_notify', 'on', true)) deferred, generate_series(1, $1)
      returning event_json(events) as event
    )
    select jsonb_agg(logged.event order by random()) as events from logged`,
  parameters: { count: c.integer },
  columns: { events: c.events },
  order: ['count'],
  pipelined: false,
  returnsAllEvents: true,
}

async function writeOwn({ database }: Opened, count: number): Promise<string[]> {
  const events = (await database.one(logOwn, { count }))?.events ?? []
  return idsOf(events.toSorted((a, b) => Number(a.id) - Number(b.id)))
}

/** Lets clients write for a while; resolves when the last of their events has arrived. */
async function follow(
  t: Test,
  opened: Opened,
  forMs: number,
  meanwhile: (going: () => boolean) => Promise<void>,
  writers = WRITERS,
) {
  const got: LoggedEvent[] = []
  opened.log.log$.subscribe(event => got.push(event))
  const clients = await Promise.all(Array.from({ length: writers }, () => connect(t, opened.url)))
  const ends = performance.now() + forMs
  const going = (): boolean => performance.now() < ends
  const [written] = await Promise.all([
    Promise.all(clients.map(client => writeAtRandom(client, going))),
    meanwhile(going),
  ])
  const ended = take(opened.log.log$.pipe(filter(event => isLast(event))), 1)
  const [client] = clients
  assert.ok(client)
  const last = await write(client, 'test.last')
  await ended
  return { got, written: [...written.flat(), last] }
}

test('events of eight random writers all arrive, once each and in order', async t => {
  const opened = await openLog(t)
  const { got, written } = await follow(t, opened, 3000, async () => {})
  assertSame(idsOf(got), written)
  assertInOrder(got)
  t.comment(`${written.length} events, ${opened.log.statistics().reads} reads`)
})

test('the same holds while all connections of the reader are cut repeatedly', async t => {
  const opened = await openLog(t)
  const killer = await connect(t, opened.url)
  let cuts = 0
  const { got, written } = await follow(t, opened, 3000, async going => {
    while (going()) {
      const { rowCount } = await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'millrace%' and datname = current_database()`,
      )
      cuts += rowCount ?? 0
      await killer.query('select pg_sleep(0.1 * random())')
    }
  })
  assertSame(idsOf(got), written)
  assertInOrder(got)
  const { reconnects } = opened.log.statistics()
  assert.ok(reconnects > 3, `${reconnects} reconnects`)
  t.comment(`${written.length} events, ${cuts} cuts, ${reconnects} reconnects`)
})

test('what this process commits is delivered without reading the log, after the work that waited for it', async t => {
  const opened = await openLog(t)
  const { log } = opened
  const got: string[] = []
  log.log$.subscribe(event => got.push(event.id))
  const { reads } = log.statistics()
  const written: string[] = []
  for (let left = 50; left > 0; left -= 1) {
    const came = take(log.log$, 3)
    const before = [...got]
    written.push(...(await writeOwn(opened, 3)))
    assert.deepEqual(got, before)
    await came
  }
  assert.deepEqual(got, written)
  // A transaction of another test may come in between.
  assert.ok(log.statistics().reads - reads < 50, `${log.statistics().reads - reads} reads`)
})

test('own transactions and those of others arrive once each and in order', async t => {
  const opened = await openLog(t)
  const own: string[] = []
  const writing = async (going: () => boolean): Promise<void> => {
    while (going()) own.push(...(await writeOwn(opened, Math.ceil(Math.random() * 5))))
  }
  const { got, written } = await follow(
    t,
    opened,
    3000,
    async going => void (await Promise.all([writing(going), writing(going), writing(going)])),
    1,
  )
  assertSame(idsOf(got), [...written, ...own])
  assertInOrder(got)
  t.comment(`${own.length} own events, ${written.length} of others, ${opened.log.statistics().reads} reads`)
})

test('a long transaction holds back later ones; they are delivered after its end without a notification', async t => {
  const { url, log } = await openLog(t)
  const [slow, quick] = await Promise.all([connect(t, url), connect(t, url)])
  await quick.query('alter table events disable trigger events_notify')
  await slow.query('begin')
  await slow.query('select pg_current_xact_id()')
  const came: string[] = []
  log.log$.subscribe(event => came.push(event.id))
  const both = take(log.log$, 2)
  const written = [await write(quick), await write(quick)]
  log.readOn()
  while (log.statistics().heldBackMs === 0) await quick.query('select pg_sleep(0.001)')
  assert.deepEqual(came, [])
  await slow.query('commit')
  assert.deepEqual(idsOf(await both), written)
})

test('a transaction that was open at the opening of the log is delivered when it commits', async t => {
  const first = await openLog(t)
  const client = await connect(t, first.url)
  await client.query('begin')
  const id = await write(client)
  const second = await openLogOn(t, first.url)
  const came = take(second.log.log$, 1)
  await client.query('commit')
  assert.deepEqual(idsOf(await came), [id])
})
