import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForEvent } from '../../accounts/waiting.ts'
import { people, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

interface Announcement {
  id: string
  read: boolean
  reactions: Record<string, unknown>[]
  mentions: Record<string, unknown>[]
  statuses: { id: string }[]
  tags: Record<string, unknown>[]
  emojis: Record<string, unknown>[]
}

async function announce(server: TestServer, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const row: Record<string, unknown> = {
    text,
    content: `<p>${text}</p>`,
    published: true,
    published_at: new Date(),
    ...more,
  }
  const names = Object.keys(row)
  const [made] = await sql(
    server,
    `insert into announcements (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id::text`,
    Object.values(row),
  )
  return String(made?.['id'])
}

async function listed(person: Person, id: string): Promise<Announcement | undefined> {
  const { json } = await person.get('/api/v1/announcements')
  return (json as Announcement[]).find(one => one.id === id)
}

async function addEmoji(server: TestServer, shortcode: string): Promise<void> {
  await sql(
    server,
    `with made as (
       insert into custom_emojis (shortcode, image) values ($1, '{"key": "a/b.png", "static_key": "a/s.png", "type": "image/png"}') returning id
     )
     insert into events (kind, object_id) select 'emojis.changed', made.id from made`,
    [shortcode],
  )
}

test('an announcement is listed with the entities in its text and is read after its dismissal', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const open = await bob.postStatus('to all')
  const closed = await bob.postStatus('to few', { visibility: 'private' })
  await addEmoji(server, 'party')
  const page = (id: string): string => `${server.url}/@${bob.username}/${id}`
  const id = await announce(server, `:party: with @${bob.username}, #Fun, ${page(open.id)} ${page(closed.id)}`)
  const shown = await listed(alice, id)
  assert.deepEqual(Object.keys(shown ?? {}), [
    'id',
    'content',
    'starts_at',
    'ends_at',
    'all_day',
    'published_at',
    'updated_at',
    'read',
    'mentions',
    'statuses',
    'tags',
    'emojis',
    'reactions',
  ])
  assert.deepEqual(shown?.mentions, [
    { id: bob.id, username: bob.username, url: `${server.url}/@${bob.username}`, acct: bob.username },
  ])
  assert.deepEqual(shown.tags, [{ name: 'fun', url: `${server.url}/tags/fun` }])
  assert.deepEqual(
    shown.statuses.map(status => status.id),
    [open.id],
  )
  assert.equal(shown.emojis[0]?.['shortcode'], 'party')
  assert.equal(shown.read, false)
  for (const _ of [1, 2]) {
    const response = await alice.post(`/api/v1/announcements/${id}/dismiss`)
    assert.deepEqual([response.status, response.json], [200, {}])
  }
  assert.equal((await listed(alice, id))?.read, true)
  assert.equal((await listed(bob, id))?.read, false)
})

test('announcements are ordered by their first known time, and drafts are hidden', async t => {
  const { alice, server } = await people(t, 'alice')
  const soon = await announce(server, 'soon', { starts_at: '2001-01-02', ends_at: '2100-01-01' })
  const first = await announce(server, 'first', { published_at: '2001-01-01' })
  const draft = await announce(server, 'draft', { published: false })
  const ids = ((await alice.get('/api/v1/announcements')).json as Announcement[]).map(one => one.id)
  assert.ok(ids.indexOf(first) < ids.indexOf(soon) && ids.includes(first))
  assert.ok(!ids.includes(draft))
  const refused = await alice.post(`/api/v1/announcements/${draft}/dismiss`)
  assert.deepEqual([refused.status, refused.json], [404, { error: 'Record not found' }])
})

test('reactions are counted, marked as own and removed', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const id = await announce(server, 'hello')
  await addEmoji(server, 'wave')
  const path = (name: string): string => `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`
  for (const [who, name] of [
    [alice, '😂'],
    [bob, 'wave'],
    [bob, '😂'],
    [alice, '❤'],
  ] as const) {
    const response = await who.put(path(name))
    assert.deepEqual([response.status, response.json], [200, {}], name)
  }
  assert.deepEqual((await listed(alice, id))?.reactions, [
    { name: '😂', count: 2, me: true },
    {
      name: 'wave',
      count: 1,
      me: false,
      url: `${server.url}/media/a/b.png`,
      static_url: `${server.url}/media/a/s.png`,
    },
    { name: '❤', count: 1, me: true },
  ])
  const again = await alice.put(path('😂'))
  assert.deepEqual([again.status, again.json], [422, { error: 'Duplicate record' }])
  assert.deepEqual([(await alice.delete(path('😂'))).status, (await alice.delete(path('😂'))).status], [200, 404])
  assert.deepEqual((await listed(alice, id))?.reactions[0]?.['count'], 1)
  for (const name of ['abc', '1', '😂😂', 'a😂']) {
    const response = await alice.put(path(name))
    assert.deepEqual(
      [response.status, response.json],
      [422, { error: 'Validation failed: Name is not a recognized emoji' }],
    )
  }
  assert.equal((await alice.put('/api/v1/announcements/99999999/reactions/x')).status, 404)
})

test('an announcement accepts eight different reactions, and more of each', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const id = await announce(server, 'hello')
  const react = (who: Person, name: string): Promise<{ status: number; json: unknown }> =>
    who.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`)
  const answers = await Promise.all('😀 😁 😂 😃 😄 😅 😆 😇 😈'.split(' ').map(name => react(alice, name)))
  assert.equal(answers.filter(response => response.status === 200).length, 8)
  const refused = answers.find(response => response.status !== 200)
  assert.deepEqual(refused?.json, { error: 'Validation failed: Limit of different reactions reached' })
  const [one] = (await listed(alice, id))?.reactions ?? []
  assert.equal((await react(bob, String(one?.['name']))).status, 200)
  const events = await sql(
    server,
    `select data from events where kind = 'announcement.reaction' and object_id = $1 and data ->> 'name' = $2 order by events.id`,
    [id, one?.['name']],
  )
  assert.deepEqual(
    events.map(event => (event['data'] as { count: number }).count),
    [1, 2],
  )
})

test('a job unpublishes an announcement after its end and records the event', async t => {
  const { alice, server } = await people(t, 'alice')
  const over = await announce(server, 'over', { starts_at: '2001-01-01', ends_at: '2001-01-02' })
  assert.ok(await listed(alice, over))
  await sql(server, `select graphile_worker.add_job('announcements.end')`)
  await waitForEvent(server, `e.kind = 'announcement.deleted' and e.object_id = $1`, [over])
  assert.equal(await listed(alice, over), undefined)
})
