import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForJobs } from '../federation/federation_fixtures.ts'
import { until } from '../media/attachments/media_fixtures.ts'
import { quote } from './quotes/quote_fixtures.ts'
import { inHours, schedule } from './scheduled/scheduled_fixtures.ts'
import { people, sql, type Person } from '../support/people.ts'
import { entities, entity, errorOf, media, type Entity } from './status_fixtures.ts'

type Body = Record<string, unknown>

const POLL = { options: ['a', 'b'], expires_in: 3600 }

test('which changes are an edit', async t => {
  const { alice, server } = await people(t, 'alice')
  const cases: [string, boolean, (one: string, two: string) => Body][] = [
    ['the same', false, () => ({})],
    ['the same language', false, () => ({ language: 'de' })],
    ['no known language', false, () => ({ language: 'klingon' })],
    ['the same policy', false, () => ({ quote_approval_policy: 'public' })],
    ['the same description', false, one => ({ media_attributes: [{ id: one, description: ' old ' }] })],
    ['no focus where there was none', false, one => ({ media_attributes: [{ id: one, focus: '' }] })],
    ['of a file that is not shown', false, () => ({ media_attributes: [{ id: '7', description: 'x' }] })],
    ['space around the text', false, () => ({ status: '  text #one\n' })],
    ['text', true, () => ({ status: 'other #one' })],
    ['content warning', true, () => ({ spoiler_text: 'cw' })],
    ['sensitive', true, () => ({ sensitive: true })],
    ['language', true, () => ({ language: 'fr' })],
    ['policy', true, () => ({ quote_approval_policy: 'followers' })],
    ['a poll less', true, () => ({ poll: undefined })],
    ['hidden totals', true, () => ({ poll: { ...POLL, hide_totals: true } })],
    ['a longer poll', true, () => ({ poll: { ...POLL, expires_in: 3601 } })],
    ['the order of files', true, (one, two) => ({ media_ids: [two, one] })],
    ['a file less', true, one => ({ media_ids: [one] })],
    ['no files', true, () => ({ media_ids: [] })],
    ['a description', true, one => ({ media_attributes: [{ id: one, description: 'new' }] })],
    ['no description', true, one => ({ media_attributes: [{ id: one, description: '' }] })],
    ['a focus', true, (_, two) => ({ media_attributes: { 0: { id: two, focus: '0,1' } } })],
  ]
  for (const [about, isEdit, change] of cases) {
    const [one = '', two = ''] = await media(server, alice, [{ type: 'image', description: 'old' }, { type: 'gifv' }])
    const same = { status: 'text #one', media_ids: [one, two], poll: POLL }
    const status = await alice.postStatus(same.status, { ...same, language: 'de' })
    const path = `/api/v1/statuses/${status.id}`
    const response = await alice.put(path, { ...same, ...change(one, two) })
    const edited = entity(response.json)
    assert.equal(response.status, 200, `${about}: ${response.text}`)
    assert.equal(edited['edited_at'] !== null, isEdit, about)
    const history = entities((await alice.get(`${path}/history`)).json)
    assert.equal(history.length, isEdit ? 2 : 1, about)
    assert.equal(history[0]?.['created_at'], status['created_at'], about)
    if (isEdit) assert.equal(history[1]?.['created_at'], edited['edited_at'], about)
    const told = await sql(server, `select id from events where kind = 'status.updated' and status_id = $1`, [
      status.id,
    ])
    assert.equal(told.length, isEdit ? 1 : 0, about)
    if (!isEdit) assert.deepEqual(edited, status, about)
  }
})

test('a refused edit changes nothing', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [shown = '', video = '', running = '', reserved = '', failed = '', audio = ''] = await media(server, alice, [
    { type: 'image' },
    { type: 'video' },
    { type: 'image', processing: 'running' },
    { type: 'image' },
    { type: 'image', processing: 'failed' },
    { type: 'audio' },
  ])
  const [foreign = ''] = await media(server, bob, [{ type: 'image' }])
  await schedule(alice, { media_ids: [reserved], scheduled_at: inHours(1) })
  const missing = (id: string): string => `Media ${id} not found or already attached to another post`
  const attribute = (more: Body): Body => ({ media_attributes: [{ id: shown, ...more }] })
  const cases: [Body, string][] = [
    [{ media_ids: [foreign] }, missing(foreign)],
    [{ media_ids: [foreign, shown, '7'] }, missing(`${foreign}, 7`)],
    [{ media_ids: [reserved] }, missing(reserved)],
    [{ media_ids: [running] }, 'Cannot attach files that have not finished processing. Try again in a moment!'],
    [{ media_ids: [failed] }, 'Cannot attach files that have not finished processing. Try again in a moment!'],
    [{ media_ids: [shown, video] }, 'Cannot attach a video to a post that already contains images'],
    [{ media_ids: [audio, shown] }, 'Cannot attach a video to a post that already contains images'],
    [
      attribute({ description: 'x'.repeat(10_001) }),
      'Validation failed: Media attributes description is too long (maximum is 10000 characters)',
    ],
    [{ poll: { options: ['a'], expires_in: 600 } }, 'Validation failed: Choices must have more than one item'],
    [{ poll: { options: ['a', 'a'], expires_in: 600 } }, 'Validation failed: Choices contain duplicate items'],
    [{ poll: { options: ['a', 'b'] } }, "Validation failed: Deadline can't be blank"],
    [{ poll: { options: ['a', 'b'], expires_in: 299 } }, 'Validation failed: Deadline is too soon'],
    [
      { poll: { options: ['a', 'b'], expires_in: 2_629_747 } },
      'Validation failed: Deadline is too far into the future',
    ],
    [
      { poll: { options: ['a', 'b', 'c', 'd', 'e'], expires_in: 600 } },
      "Validation failed: Choices can't contain more than 4 items",
    ],
    [
      { poll: { options: ['a', 'b'.repeat(51)], expires_in: 600 } },
      'Validation failed: Choices cannot be longer than 50 characters each',
    ],
  ]
  const status = await alice.postStatus('text', { media_ids: [shown] })
  const path = `/api/v1/statuses/${status.id}`
  for (const [body, error] of cases) {
    const refused = await alice.put(path, { status: 'other', media_ids: [shown], ...body })
    assert.deepEqual([refused.status, errorOf(refused)], [422, error])
  }
  assert.deepEqual((await alice.get(path)).json, status)
  const boost = entity((await alice.post(`${path}/reblog`)).json)
  for (const id of [boost.id, '1', 'x']) {
    const refused = await alice.put(`/api/v1/statuses/${id}`, { status: 'x' })
    assert.deepEqual([refused.status, errorOf(refused)], [404, 'Record not found'])
  }
})

test('empty values remove the description and focus of a file', async t => {
  const { alice, server } = await people(t, 'alice')
  const [id = ''] = await media(server, alice, [{ type: 'image', description: 'old' }])
  const status = await alice.postStatus('text', { media_ids: [id] })
  const change = async (attributes: Body): Promise<Entity> => {
    const body = { status: 'text', media_ids: [id], media_attributes: [{ id, ...attributes }] }
    const edited = entity((await alice.patch(`/api/v1/statuses/${status.id}`, body)).json)
    return entities(edited['media_attachments'])[0] ?? assert.fail('no file')
  }
  const given = await change({ description: ' new ', focus: '0.5,-1' })
  assert.deepEqual([given['description'], given['meta']], ['new', { focus: { x: 0.5, y: -1 } }])
  const taken = await change({ description: ' ', focus: '' })
  assert.deepEqual([taken['description'], taken['meta']], [null, {}])
})

test('a file that concurrent edits, posts and schedules want belongs to one of them', async t => {
  const { alice, server } = await people(t, 'alice')
  const statuses = [await alice.postStatus('1'), await alice.postStatus('2'), await alice.postStatus('3')]
  for (let time = 0; time < 3; time += 1) {
    const [file = ''] = await media(server, alice, [{ type: 'image' }])
    const body = { status: 'mine', media_ids: [file] }
    const answers = await Promise.all([
      ...statuses.map(({ id }) => alice.put(`/api/v1/statuses/${id}`, body)),
      alice.post('/api/v1/statuses', body),
      alice.post('/api/v1/statuses', { ...body, scheduled_at: inHours(1) }),
    ])
    const [done, ...more] = answers.filter(({ status }) => status === 200)
    assert.ok(done && more.length === 0, answers.map(({ text }) => text).join('\n'))
    for (const refused of answers.filter(one => one !== done))
      assert.equal(errorOf(refused), `Media ${file} not found or already attached to another post`)
    const shown = await sql(server, 'select id from statuses where media_attachment_ids @> array[$1::bigint]', [file])
    assert.ok(shown.length <= 1)
  }
})

test('an edit is sent to every stream that had the status, and to those that it newly fits', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await bob.follow(alice)
  await dave.follow(carol)
  const list = entity((await bob.post('/api/v1/lists', { title: 'list' })).json)
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.id] })
  const [file] = await media(server, alice, [{ type: 'image' }])
  const more = { media_ids: [file] }
  const status = await alice.postStatus(`first #one @${carol.username}`, more)
  await carol.post(`/api/v1/statuses/${status.id}/reblog`)
  const streams = await Promise.all([
    alice.stream('user'),
    bob.stream('user'),
    bob.stream('list', { list: list.id }),
    dave.stream('public'),
    dave.stream('public:local'),
    dave.stream('public:media'),
    dave.stream('public:local:media'),
    dave.stream('hashtag', { tag: 'two' }),
    dave.stream('hashtag:local', { tag: 'two' }),
    carol.stream('user:notification'),
  ])
  const without = await Promise.all([dave.stream('hashtag', { tag: 'one' }), dave.stream('user')])
  const edited = `second #two @${carol.username}`
  await alice.put(`/api/v1/statuses/${status.id}`, { ...more, status: edited })
  for (const stream of streams) {
    const told = entity((await stream.next('status.update')).payload)
    assert.deepEqual([told.id, told['edited_at'] === null], [status.id, false])
    assert.match(String(told['content']), /second/)
  }
  // A later status has arrived, but the edit has not: on the old hashtag, and in a home feed with
  // only a boost.
  const mark = await carol.postStatus('mark #one')
  for (const stream of without) {
    const told = await stream.upTo('update', ({ payload }) => entity(payload).id === mark.id)
    assert.ok(told.every(({ event }) => event === 'update'))
  }
})

test('an account whose mention is removed can still see the status; a newly mentioned one is notified', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await bob.follow(alice)
  await carol.follow(alice)
  const conversations = async (who: Person): Promise<number> =>
    entities((await who.get('/api/v1/conversations')).json).length
  const received = async (who: Person): Promise<unknown[]> =>
    entities((await who.get('/api/v1/notifications')).json)
      .filter(one => one['type'] === 'mention')
      .map(one => entity(one['status']).id)
  const status = await alice.postStatus(`@${bob.username} psst`, { visibility: 'direct' })
  const path = `/api/v1/statuses/${status.id}`
  assert.equal((await carol.get(path)).status, 404)
  for (const [name, mentions] of [
    [carol.username, [carol.id]],
    [bob.username, [bob.id]],
  ] as const) {
    const edited = entity((await alice.put(path, { status: `@${name} psst` })).json)
    assert.deepEqual(
      entities(edited['mentions']).map(one => one.id),
      mentions,
    )
    for (const who of [bob, carol]) {
      assert.equal((await who.get(path)).status, 200)
      assert.deepEqual([await received(who), await conversations(who)], [[status.id], 1])
    }
  }
})

test('after several edits, accounts that boosted or quoted it are notified of the last one', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('first')
  const path = `/api/v1/statuses/${status.id}`
  await bob.post(`${path}/reblog`)
  const quoting = await quote(carol, status.id)
  const received = async (who: Person): Promise<Entity[]> => entities((await who.get('/api/v1/notifications')).json)
  const stream = await bob.stream('user:notification')
  const before: string[] = []
  for (const text of ['second', 'third']) {
    await alice.put(path, { status: text })
    const told = entity((await stream.next('notification')).payload)
    assert.equal(told['type'], 'update')
    assert.match(String(entity(told['status'])['content']), new RegExp(text))
    const last = before.at(-1)
    const [quoted] = await until(
      () => received(carol),
      ([one]) => one !== undefined && one.id !== last,
      'the quoter to hear',
    )
    before.push(String(quoted?.id))
    assert.deepEqual([quoted?.['type'], entity(quoted?.['status']).id], ['quoted_update', quoting.id])
    for (const who of [bob, carol]) assert.equal((await received(who)).length, 1)
  }
  // The quote policy is not a change of the status that they shared.
  await alice.put(`${path}/interaction_policy`, { quote_approval_policy: 'nobody' })
  for (const who of [bob, carol]) await who.post('/api/v1/notifications/clear')
  const policy = { status: 'third', quote_approval_policy: 'followers' }
  assert.notEqual(entity((await alice.put(path, policy)).json)['edited_at'], null)
  assert.equal(entities((await alice.get(`${path}/history`)).json).length, 4, 'it is an edit all the same')
  await waitForJobs(t, server, 'statuses.notify')
  assert.deepEqual([await received(bob), await received(carol)], [[], []])
})
