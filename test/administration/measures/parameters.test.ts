import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { makeToken, people, person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'

const MEASURES = '/api/v1/admin/measures'
const DIMENSIONS = '/api/v1/admin/dimensions'
const RETENTION = '/api/v1/admin/retention'
const MARCH = { start_at: '2026-03-01', end_at: '2026-03-04' }
const missing = (name: string): object => ({
  error: `param is missing or the value is empty or invalid: ${name}`,
})

test('figures need the permission to view the dashboard', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  const narrow = new Client(server, await makeToken(server, moderator.userId, ['read', 'admin:read:accounts']))
  const stale = new Client(server, 'unknown')
  for (const path of [MEASURES, DIMENSIONS, RETENTION]) {
    const body = { keys: ['new_users'], ...MARCH }
    const statuses = async (client: Client): Promise<unknown[]> => {
      const { status, json } = await client.post(path, body)
      return [status, (json as { error?: string }).error]
    }
    assert.deepEqual(await statuses(anonymous), [403, 'This action is not allowed'])
    assert.deepEqual(await statuses(stale), [401, 'The access token is invalid'])
    assert.deepEqual(await statuses(narrow), [403, 'This action is outside the authorized scopes'])
    assert.deepEqual(await statuses(alice), [403, 'This action is not allowed'])
    const allowed = await moderator.post(path, body)
    assert.equal(allowed.status, 200)
    assert.equal(allowed.headers.get('cache-control'), 'private, no-store')
    assert.equal((await moderator.get(path)).status, 404)
  }
})

test('missing and invalid parameters are named', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  const response = async (path: string, body: unknown): Promise<unknown[]> => {
    const { status, json } = await owner.post(path, body)
    return [status, json]
  }
  const keys = ['new_users']
  const noDate = [422, { error: 'Invalid date supplied' }]
  assert.deepEqual(await response(MEASURES, MARCH), [400, missing('keys')])
  assert.deepEqual(await response(MEASURES, { ...MARCH, keys: [] }), [400, missing('keys')])
  assert.deepEqual(await response(MEASURES, { ...MARCH, keys: '' }), [400, missing('keys')])
  assert.deepEqual(await response(MEASURES, { keys, end_at: '2026-03-04' }), [400, missing('start_at')])
  assert.deepEqual(await response(MEASURES, { keys, start_at: '2026-03-04', end_at: '' }), [400, missing('end_at')])
  assert.deepEqual(await response(MEASURES, { keys, ...MARCH, start_at: 'yesterday' }), noDate)
  assert.deepEqual(await response(MEASURES, { keys, ...MARCH, end_at: '2026-02-30' }), noDate)
  assert.deepEqual(await response(MEASURES, { keys: ['tag_uses'], ...MARCH }), [400, missing('tag_uses')])
  assert.deepEqual(await response(MEASURES, { keys: ['tag_uses'], ...MARCH, tag_uses: 7 }), [400, missing('tag_uses')])
  const instance = { keys: ['instance_accounts'], ...MARCH }
  assert.deepEqual(await response(MEASURES, instance), [400, missing('instance_accounts')])
  assert.deepEqual(await response(MEASURES, { ...instance, instance_accounts: { include_subdomains: true } }), [
    400,
    missing('domain'),
  ])
  for (const id of ['999999', 'x', '']) {
    const unknown = await response(MEASURES, { keys: ['tag_uses'], ...MARCH, tag_uses: { id, x: 1 } })
    assert.deepEqual(unknown, [404, { error: 'Record not found' }])
  }
  assert.deepEqual(await response(DIMENSIONS, { keys: ['tag_servers'], ...MARCH }), [400, missing('tag_servers')])
  assert.deepEqual(await response(DIMENSIONS, { keys: ['servers'] }), [400, missing('start_at')])
  assert.deepEqual(await response(DIMENSIONS, { keys: ['servers'], start_at: 'x' }), noDate)
  assert.deepEqual(await response(DIMENSIONS, {}), [200, []])
  assert.deepEqual(await response(DIMENSIONS, { keys: ['languages'], ...MARCH, limit: -1 }), [
    422,
    { error: 'Validation failed: Limit must be greater than or equal to 0' },
  ])
  assert.deepEqual(await response(RETENTION, { end_at: '2026-03-04' }), [400, missing('start_at')])
  assert.deepEqual(await response(RETENTION, { start_at: '2026-03-04' }), [400, missing('end_at')])
  assert.deepEqual(await response(RETENTION, { ...MARCH, start_at: [] }), noDate)
})

test('more keys than there are figures are refused, instead of repeating each', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  for (const [path, key] of [
    [MEASURES, 'new_users'],
    [DIMENSIONS, 'servers'],
  ] as const) {
    const send = (count: number) => owner.post(path, { keys: Array<string>(count).fill(key), ...MARCH })
    assert.equal(((await send(30)).json as unknown[]).length, 30)
    const { status, json } = await send(31)
    assert.deepEqual([status, json], [422, { error: 'Validation failed: Keys is too long (maximum is 30 characters)' }])
  }
})

test('a form is read like JSON, and unknown keys are skipped', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  const form = new URLSearchParams({ start_at: '2026-03-01', end_at: '2026-03-04' })
  for (const key of ['opened_reports', 'weather', 'instance_follows', 'opened_reports']) form.append('keys[]', key)
  form.append('instance_follows[domain]', 'Far.Example')
  const { status, json } = await owner.post(MEASURES, form)
  assert.equal(status, 200)
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'].map(date => ({ date, value: '0' }))
  const reports = { key: 'opened_reports', unit: null, total: '0', previous_total: '0', data: days }
  assert.deepEqual(json, [reports, { key: 'instance_follows', unit: null, total: '0', data: days }, reports])
})

test('the days of a measure are those of the given dates in any time zone', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  const dates = async (key: string, startAt: string, endAt: string): Promise<string[]> => {
    const { json } = await owner.post(MEASURES, { keys: [key], start_at: startAt, end_at: endAt })
    return (json as [{ data: { date: string }[] }])[0].data.map(({ date }) => date)
  }
  const late = await dates('active_users', '2026-03-01T23:30:00-05:00', '2026-03-02T00:30:00+09:00')
  assert.deepEqual(late, ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'])
  assert.deepEqual(await dates('new_users', '2026-03-02', '2026-03-01'), [])
  const long = await dates('new_users', '1990-01-01', '2028-02-29')
  assert.deepEqual([long.length, long[0], long.at(-1)], [732, '2026-02-28', '2028-02-29'])
  const oldest = await dates('new_users', '0001-01-01', '0001-12-31')
  assert.deepEqual([oldest.length, oldest[0]], [365, '0001-01-01'])
  assert.equal((await dates('interactions', '9999-01-01', '9999-12-31')).length, 365)
})

test('cohorts begin at most 31 days or a year before the end', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  const cohorts = async (body: object): Promise<{ period: string; frequency: string; data: unknown[] }[]> =>
    (await owner.post(RETENTION, body)).json as { period: string; frequency: string; data: unknown[] }[]
  const months = await cohorts({ start_at: '2025-01-04', end_at: '2025-07-05', frequency: 'month' })
  assert.deepEqual(
    months.map(({ period, data }) => [period, data.length]),
    ['01', '02', '03', '04', '05', '06', '07'].map((month, index) => [`2025-${month}-01T00:00:00Z`, 7 - index]),
  )
  const days = await cohorts({ start_at: '2025-01-04', end_at: '2025-07-05', frequency: 'week' })
  assert.deepEqual([days.length, days[0]?.period, days[0]?.frequency], [32, '2025-06-04T00:00:00Z', 'day'])
  assert.equal((await cohorts({ start_at: '2020-01-04', end_at: '2025-07-05', frequency: 'month' })).length, 13)
  assert.equal((await cohorts({ start_at: '9999-12-01', end_at: '9999-12-31', frequency: 'month' })).length, 1)
  assert.deepEqual(await cohorts({ start_at: '2025-07-06', end_at: '2025-07-05' }), [])
})

test('storage and software describe this server', async () => {
  const server = await sharedServer()
  const owner = await person(server, 'owner', { roleId: 3 })
  const picture = new FormData()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  picture.append('file', new Blob([png], { type: 'image/png' }), 'dot.png')
  assert.equal((await owner.post('/api/v2/media', picture)).status, 200)
  const { json } = await owner.post(DIMENSIONS, { keys: ['software_versions', 'space_usage'] })
  const [software, space] = json as { data: { key: string; value: string; human_value: string; unit?: string }[] }[]
  assert.deepEqual(
    software?.data.slice(0, 4).map(({ key }) => key),
    ['mastodon', 'millrace', 'nodejs', 'postgresql'],
  )
  assert.equal(software?.data[2]?.value, process.versions.node)
  assert.deepEqual(
    space?.data.map(({ key, unit }) => [key, unit]),
    [
      ['postgresql', 'bytes'],
      ['media', 'bytes'],
    ],
  )
  const [stored] = await sql(server, 'select sum(file_bytes + preview_bytes)::text as bytes from media_attachments')
  assert.ok(Number(stored?.['bytes']) > 50)
  assert.equal(space?.data[1]?.value, stored?.['bytes'])
  assert.match(space?.data[0]?.human_value ?? '', /^[0-9.]+ MB$/)
})

test('hashtags are counted for fourteen days, and activity for six months', async t => {
  const { alice, server } = await people(t, 'alice')
  const owner = await person(server, 'owner', { roleId: 3 })
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const name = `kept${Date.now().toString(36)}`
  const dayBefore = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  const dayText = (date: Date): string => date.toISOString().slice(0, 10)
  for (const days of [14, 13]) {
    const published = `${dayText(dayBefore(days))}T12:00:00Z`
    const tag = [{ type: 'Hashtag', name: `#${name}`, href: `${peer.url}/tags/${name}` }]
    const note = peer.serve(bob.note(`#${name}`, { published, tag }))
    const found = await alice.get('/api/v2/search', { q: note.id, resolve: 'true', type: 'statuses' })
    assert.equal((found.json as { statuses: unknown[] }).statuses.length, 1, found.text)
  }
  const [tag] = await sql(server, 'select id::text from tags where name = $1', [name])
  const month = new Date()
  month.setUTCMonth(month.getUTCMonth() - 7)
  for (const day of [month, dayBefore(100)])
    for (const counter of ['interactions', 'active_users'])
      await sql(
        server,
        `insert into day_counters (counter, day, domain, detail, slot, amount)
         values ($1::text::day_counter, $2::date, '', '', 0, 5) on conflict (counter, day, domain, detail, slot) do update set amount = 5`,
        [counter, dayText(day)],
      )
  const ask = async (first: Date): Promise<Record<string, Record<string, string>>> => {
    const subject = { id: tag?.['id'] }
    const response = await owner.post(MEASURES, {
      keys: ['tag_accounts', 'tag_uses', 'interactions', 'active_users'],
      start_at: dayText(first),
      end_at: dayText(new Date()),
      tag_accounts: subject,
      tag_uses: subject,
    })
    assert.equal(response.status, 200, response.text)
    const measures = response.json as { key: string; data: { date: string; value: string }[] }[]
    return Object.fromEntries(
      measures.map(({ key, data }) => [
        key,
        Object.fromEntries(data.map(({ date, value }) => [date.slice(0, 10), value])),
      ]),
    )
  }
  const figures = await ask(month)
  for (const key of ['tag_accounts', 'tag_uses'])
    assert.deepEqual([figures[key]?.[dayText(dayBefore(14))], figures[key]?.[dayText(dayBefore(13))]], ['0', '1'], key)
  for (const key of ['interactions', 'active_users'])
    assert.deepEqual([figures[key]?.[dayText(month)], figures[key]?.[dayText(dayBefore(100))]], ['0', '5'], key)
})
