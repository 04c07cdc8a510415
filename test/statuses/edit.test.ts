import assert from 'node:assert/strict'
import { test } from 'tap'
import { connect, waitForLocks } from '../support/other_transaction.ts'
import { people, sql } from '../support/people.ts'
import { entities, entity, errorOf, media } from './status_fixtures.ts'

test('an edit replaces the status and adds to its history', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus(`first @${bob.username} #one`, { language: 'de' })
  const path = `/api/v1/statuses/${status.id}`
  await carol.post(`${path}/reblog`)
  await anonymous.get(path)
  const response = await alice.put(path, { status: `second @${carol.username} #two`, spoiler_text: 'cw' })
  const edited = entity(response.json)
  assert.match(String(edited['content']), /^<p>second /)
  assert.deepEqual(
    [edited['spoiler_text'], edited['sensitive'], edited['language'], edited['visibility']],
    ['cw', true, 'de', 'public'],
  )
  assert.deepEqual(
    entities(edited['mentions']).map(one => one.id),
    [carol.id],
  )
  assert.deepEqual(
    entities(edited['tags']).map(one => one['name']),
    ['two'],
  )
  assert.notEqual(edited['edited_at'], null)
  assert.match(String(entity((await anonymous.get(path)).json)['content']), /second/)
  const history = entities((await anonymous.get(`${path}/history`)).json)
  assert.deepEqual(
    history.map(one => one['spoiler_text']),
    ['', 'cw'],
  )
  assert.equal(history[0]?.['created_at'], status['created_at'])
  assert.deepEqual(
    Object.keys(history[0] ?? {}),
    'content spoiler_text sensitive created_at account media_attachments emojis'.split(' '),
  )
  const received = await sql(
    server,
    'select account_id::text as who, type from notifications where status_id = $1 or activity_id = $1 order by id',
    [status.id],
  )
  assert.deepEqual(received, [
    { who: bob.id, type: 'mention' },
    { who: alice.id, type: 'reblog' },
    { who: carol.id, type: 'mention' },
    { who: carol.id, type: 'update' },
  ])
  const back = entity((await alice.put(path, { status: `third @${bob.username}` })).json)
  assert.deepEqual([back['spoiler_text'], back['sensitive']], ['', false])
  const again = await sql(server, `select type from notifications where account_id = $1`, [bob.id])
  assert.equal(again.length, 1, 'who was notified once is not notified again')
  assert.equal(entities((await alice.get(`${path}/history`)).json).length, 3)
})

test('a history shows the newest thousand versions, and of long ones less', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('version 0')
  await alice.put(`/api/v1/statuses/${id}`, { status: 'version 1' })
  const add = (length: number, count: number): Promise<unknown> =>
    sql(
      server,
      `insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive)
       select $1, account_id, '', repeat('x', $2), '', false from statuses, generate_series(1, $3) where id = $1`,
      [id, length, count],
    )
  const lengths = async (): Promise<number[]> => {
    const response = await anonymous.get(`/api/v1/statuses/${id}/history`)
    assert.equal(response.status, 200, response.text)
    return entities(response.json).map(({ content }) => String(content).length)
  }
  await add(3, 999)
  await alice.put(`/api/v1/statuses/${id}`, { status: 'version 2' })
  assert.deepEqual(await lengths(), [...Array<number>(999).fill(3), '<p>version 2</p>'.length])
  await add(1_000_000, 6)
  await alice.put(`/api/v1/statuses/${id}`, { status: 'version 3' })
  assert.deepEqual(await lengths(), [...Array<number>(4).fill(1_000_000), '<p>version 3</p>'.length])
})

test('an edit without changes creates no version', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('same', { spoiler_text: 'cw' })
  const path = `/api/v1/statuses/${status.id}`
  const response = entity((await alice.put(path, { status: 'same', spoiler_text: 'cw' })).json)
  assert.equal(response['edited_at'], null)
  assert.equal(entities((await alice.get(`${path}/history`)).json).length, 1)
  assert.deepEqual(await sql(server, 'select id from status_edits where status_id = $1', [status.id]), [])
})

test('invalid edits', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('mine')
  const path = `/api/v1/statuses/${status.id}`
  const cases: [Record<string, unknown>, string][] = [
    [{}, "Validation failed: Text can't be blank"],
    [{ status: 'x'.repeat(501) }, 'Validation failed: Text character limit of 500 exceeded'],
    [{ status: 'x', quote_approval_policy: 'some' }, 'Record invalid'],
    [{ status: 'x', media_ids: ['1', '2', '3', '4', '5'] }, 'Cannot attach more than 4 files'],
    [{ status: 'x', media_ids: ['7'] }, 'Media 7 not found or already attached to another post'],
  ]
  for (const [body, message] of cases) {
    const response = await alice.put(path, body)
    assert.deepEqual([response.status, errorOf(response)], [422, message])
  }
  const foreign = await bob.put(path, { status: 'x' })
  assert.deepEqual([foreign.status, errorOf(foreign)], [404, 'Record not found'])
})

test('attachments are added and removed, and keep their descriptions in the history', async t => {
  const { alice, server } = await people(t, 'alice')
  const [one, two] = await media(server, alice, [{ type: 'image', description: 'old' }, { type: 'image' }])
  const status = await alice.postStatus('pictures', { media_ids: [one] })
  const path = `/api/v1/statuses/${status.id}`
  const body = {
    status: 'pictures',
    media_ids: [two, one],
    media_attributes: [{ id: one, description: 'new', focus: '0.5,-0.5' }],
  }
  const edited = entity((await alice.put(path, body)).json)
  const shown = entities(edited['media_attachments'])
  assert.deepEqual(
    shown.map(file => file.id),
    [two, one],
  )
  assert.equal(shown[1]?.['description'], 'new')
  assert.deepEqual(entity(shown[1]?.['meta'])['focus'], { x: 0.5, y: -0.5 })
  const columns = new URLSearchParams({ status: 'pictures', 'media_ids[]': one ?? '' })
  columns.append('media_attributes[][description]', 'again')
  columns.append('media_attributes[][id]', one ?? '')
  columns.append('media_attributes[][description]', 'of none')
  const described = entity((await alice.put(path, columns)).json)
  assert.deepEqual(
    entities(described['media_attachments']).map(file => file['description']),
    ['again'],
    'an entry without an id changes nothing',
  )
  const none = entity((await alice.put(path, { status: 'pictures' })).json)
  assert.deepEqual(none['media_attachments'], [])
  const history = entities((await alice.get(`${path}/history`)).json)
  const versions = history.map(version => entities(version['media_attachments']).map(file => file['description']))
  assert.deepEqual(versions, [['old'], [null, 'new'], ['again'], []])
  const back = entity((await alice.put(path, { status: 'pictures', media_ids: [one] })).json)
  assert.equal(entities(back['media_attachments']).length, 1)
})

test('the quote policy is changed without an edit', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('quotable')
  const path = `/api/v1/statuses/${status.id}/interaction_policy`
  const changed = entity((await alice.put(path, { quote_approval_policy: 'followers' })).json)
  assert.deepEqual(changed['quote_approval'], { automatic: ['followers'], manual: [], current_user: 'automatic' })
  assert.equal(changed['edited_at'], null)
  await alice.put(path, { quote_approval_policy: 'followers' })
  const told = await sql(server, `select id from events where kind = 'status.updated' and status_id = $1`, [status.id])
  assert.equal(told.length, 1, 'the same again is no change')
  const seen = entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.equal(entity(seen['quote_approval'])['current_user'], 'denied')
  await bob.follow(alice)
  const followed = entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.equal(entity(followed['quote_approval'])['current_user'], 'automatic')
  const unknown = await alice.put(path, { quote_approval_policy: 'friends' })
  assert.deepEqual([unknown.status, errorOf(unknown)], [422, 'Record invalid'])
  const foreign = await bob.put(path, { quote_approval_policy: 'nobody' })
  assert.deepEqual([foreign.status, errorOf(foreign)], [403, 'This action is not allowed'])
  const own = await alice.postStatus('for followers', { visibility: 'private' })
  const kept = await alice.put(`/api/v1/statuses/${own.id}/interaction_policy`, { quote_approval_policy: 'public' })
  assert.deepEqual(entity(entity(kept.json)['quote_approval'])['automatic'], [])
})

test('an edit keeps the description that a new attachment gets at the same moment', async t => {
  const { alice, server } = await people(t, 'alice')
  const [file = ''] = await media(server, alice, [{ type: 'image', description: 'draft' }])
  const { id } = await alice.postStatus('without')
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from media_attachments where id = $1 for update', [file])
  const describing = alice.put(`/api/v1/media/${file}`, { description: 'a tapir' })
  await waitForLocks(server, 1, describing)
  const editing = alice.put(`/api/v1/statuses/${id}`, { status: 'with', media_ids: [file] })
  await waitForLocks(server, 2, editing)
  await other.query('rollback')
  assert.equal((await describing).status, 200)
  await editing
  const shown = entity((await alice.get(`/api/v1/statuses/${id}`)).json)
  const versions = entities((await alice.get(`/api/v1/statuses/${id}/history`)).json)
  for (const one of [shown, ...versions.slice(1)])
    assert.deepEqual(
      entities(one['media_attachments']).map(({ description }) => description),
      ['a tapir'],
    )
})
