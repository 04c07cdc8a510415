import assert from 'node:assert/strict'
import { firstValueFrom, NEVER, Subject } from 'rxjs'
import { test, type Test } from 'tap'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { InvalidSetting, openSettings, type Settings } from '../../../src/platform/settings/index.ts'
import { createTestDatabase, execute } from '../../support/database.ts'

async function opened(t: Test): Promise<Database> {
  return open(t, (await createTestDatabase(t)).url)
}

function open(t: Test, url: string): Database {
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 4 })
  t.after(() => database.close())
  return database
}

async function settingsOf(t: Test, ...given: Parameters<typeof openSettings>): Promise<Settings> {
  const settings = await openSettings(...given)
  t.after(() => settings.close())
  return settings
}

/** Collects the events that the database commits from now on. */
function logged(t: Test, database: Database): LoggedEvent[] {
  const events: LoggedEvent[] = []
  const subscription = database.committed$.subscribe(committed => events.push(...committed.events))
  t.after(() => subscription.unsubscribe())
  return events
}

test('a new installation has the defaults', async t => {
  const settings = await settingsOf(t, await opened(t), NEVER)
  assert.equal(settings.get('registrations_mode'), 'none')
  assert.equal(settings.get('site_title'), 'Millrace')
  assert.equal(settings.get('min_age'), null)
  assert.equal(settings.get('timeline_preview'), true)
  assert.deepEqual(settings.get('auto_follow_accounts'), [])
})

test('a value of the environment precedes the stored one and refuses changes', async t => {
  const database = await opened(t)
  await (await settingsOf(t, database, NEVER)).set('authorized_fetch', true)
  const fixedSettings = { authorized_fetch: { value: false, variable: 'AUTHORIZED_FETCH' } }
  const settings = await settingsOf(t, database, NEVER, { fixedSettings })
  assert.equal(settings.get('authorized_fetch'), false)
  await assert.rejects(settings.set('authorized_fetch', true), {
    name: 'InvalidSetting',
    message: 'authorized_fetch is set by the environment variable AUTHORIZED_FETCH',
  })
  assert.equal(settings.get('authorized_fetch'), false)
})

test('a change is visible when the promise resolves, and after a restart', async t => {
  const database = await opened(t)
  const settings = await settingsOf(t, database, NEVER)
  await settings.set('registrations_mode', 'approved')
  await settings.set('min_age', 16)
  assert.equal(settings.get('registrations_mode'), 'approved')
  await settings.set('min_age', null)
  await settings.set('auto_follow_accounts', ['@alice', 'bob@example.com'])
  const restarted = await settingsOf(t, database, NEVER)
  assert.equal(restarted.get('registrations_mode'), 'approved')
  assert.equal(restarted.get('min_age'), null)
  assert.deepEqual(restarted.get('auto_follow_accounts'), ['alice', 'bob@example.com'])
})

test('a change writes one event with the actor and the keys, and a repetition writes none', async t => {
  const { url } = await createTestDatabase(t)
  const database = open(t, url)
  const [account] = await execute(url, `insert into accounts (username) values ('admin') returning id::text`)
  const actor = String(account?.['id'])
  const settings = await settingsOf(t, database, NEVER)
  const events = logged(t, database)
  await settings.set('trends', false, actor)
  await settings.set('trends', false, actor)
  await settings.setAll({ trends: false, site_title: 'Mill', timeline_preview: false })
  assert.deepEqual(
    events.map(({ kind, actor_id, data }) => ({ kind, actor_id, data })),
    [
      { kind: 'settings.changed', actor_id: actor, data: { keys: ['trends'] } },
      {
        kind: 'settings.changed',
        actor_id: null,
        data: {
          keys: [
            'local_live_feed_access',
            'local_topic_feed_access',
            'remote_live_feed_access',
            'remote_topic_feed_access',
            'site_title',
          ],
        },
      },
    ],
  )
})

test('another process applies a change when its event arrives', async t => {
  const database = await opened(t)
  const here = await settingsOf(t, database, NEVER)
  const applied = new Subject<LoggedEvent>()
  const there = await settingsOf(t, database, applied)
  const events = logged(t, database)
  const changed = firstValueFrom(there.changed$)
  await here.setAll({ site_title: 'Mill', trends: false })
  assert.equal(there.get('site_title'), 'Millrace')
  for (const event of events) applied.next(event)
  assert.deepEqual([...(await changed)].toSorted(), ['site_title', 'trends'])
  assert.equal(there.get('site_title'), 'Mill')
  assert.equal(there.get('trends'), false)
})

test('a change that commits during the start of another process is not missed', async t => {
  const database = await opened(t)
  const here = await settingsOf(t, database, NEVER)
  const events = logged(t, database)
  const applied = new Subject<LoggedEvent>()
  const readFirst = Promise.withResolvers<void>()
  const proceed = Promise.withResolvers<void>()
  const slow: Database = {
    ...database,
    async run(query, parameters) {
      const rows = await database.run(query, parameters)
      readFirst.resolve()
      await proceed.promise
      return rows
    },
  }
  const starting = settingsOf(t, slow, applied)
  await readFirst.promise
  await here.set('site_title', 'Mill')
  for (const event of events) applied.next(event)
  proceed.resolve()
  const there = await starting
  if (there.get('site_title') !== 'Mill') await firstValueFrom(there.changed$)
  assert.equal(there.get('site_title'), 'Mill')
})

test('all processes agree after simultaneous changes of one setting', async t => {
  const database = await opened(t)
  const applied = new Subject<LoggedEvent>()
  const subscription = database.committed$.subscribe(committed =>
    committed.events.forEach(event => applied.next(event)),
  )
  t.after(() => subscription.unsubscribe())
  const processes = await Promise.all(Array.from({ length: 3 }, () => settingsOf(t, database, applied)))
  await Promise.all(
    processes.flatMap((settings, who) =>
      Array.from({ length: 5 }, (_, turn) => settings.set('site_title', `${who}.${turn}`)),
    ),
  )
  // A change completes after the queued events of its process were read.
  await Promise.all(processes.map(settings => settings.set('trends', false)))
  const fresh = await settingsOf(t, database, NEVER)
  for (const settings of processes) assert.equal(settings.get('site_title'), fresh.get('site_title'))
})

test('an invalid value changes nothing', async t => {
  const database = await opened(t)
  const settings = await settingsOf(t, database, NEVER)
  const events = logged(t, database)
  await assert.rejects(settings.setAll({ site_title: 'Mill', trends: 'perhaps' }), InvalidSetting)
  await assert.rejects(settings.set('nonsense', 1), /there is no setting "nonsense"/)
  assert.equal(settings.get('site_title'), 'Millrace')
  assert.deepEqual(events, [])
})

test('an invalid stored value is replaced by the default and reported', async t => {
  const database = await opened(t)
  await database.withClient(client =>
    client.query(`insert into settings (key, value) values ('trends', '"x"'), ('old', '1')`),
  )
  const errors: unknown[] = []
  const settings = await settingsOf(t, database, NEVER, { onError: error => errors.push(error) })
  assert.equal(settings.get('trends'), true)
  assert.equal(errors.length, 1)
})

test('the list shows each setting with value, default and description', async t => {
  const settings = await settingsOf(t, await opened(t), NEVER)
  await settings.set('registrations_mode', 'open')
  const listed = settings.list().find(setting => setting.key === 'registrations_mode')
  assert.deepEqual(listed, {
    key: 'registrations_mode',
    group: 'registrations',
    value: 'open',
    default: 'none',
    values: ['open', 'approved', 'none'],
    meaning: 'who may sign up: all (open), with approval (approved), with an invite only (none)',
  })
})
