import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { makeToken, people, person, sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

async function add(server: TestServer, shortcode: string, more: Record<string, unknown> = {}): Promise<void> {
  const row: Record<string, unknown> = {
    shortcode,
    image: { key: `emoji/${shortcode}.gif`, static_key: `emoji/${shortcode}.png`, type: 'image/gif' },
    ...more,
  }
  const names = Object.keys(row)
  await sql(
    server,
    `with made as (insert into custom_emojis (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id)
     insert into events (kind, object_id) select 'emojis.changed', made.id from made`,
    Object.values(row),
  )
}

test('the visible emojis of this server are listed', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  await add(server, 'plain')
  await add(server, 'sorted', { category: 'Cats' })
  await add(server, 'star', { category: 'Cats', featured: true })
  await add(server, 'far', { domain: 'other.example' })
  await add(server, 'off', { disabled: true })
  await add(server, 'hidden', { visible_in_picker: false })
  const shown = await anonymous.get('/api/v1/custom_emojis')
  const picture = (name: string): object => ({
    shortcode: name,
    url: `${server.url}/media/emoji/${name}.gif`,
    static_url: `${server.url}/media/emoji/${name}.png`,
    visible_in_picker: true,
  })
  assert.deepEqual(shown.json, [
    { ...picture('sorted'), category: 'Cats', featured: false },
    { ...picture('star'), category: 'Cats', featured: true },
    picture('plain'),
  ])
  assert.equal(
    shown.headers.get('cache-control'),
    'max-age=300, public, stale-while-revalidate=30, stale-if-error=86400',
  )
  const own = await alice.get('/api/v1/custom_emojis')
  assert.equal(own.text, shown.text)
  const scopeless = new Client(server, await makeToken(server, alice.userId, []))
  assert.equal((await scopeless.get('/api/v1/custom_emojis')).text, shown.text)
  assert.equal(own.headers.get('cache-control'), shown.headers.get('cache-control'))
  assert.doesNotMatch(own.headers.get('vary') ?? '', /Authorization/)
})

test('without public access the emojis are for users only and not cacheable', async t => {
  const server = await startServer(t)
  await sql(
    server,
    `with made as (insert into settings (key, value) values ('disallow_unauthenticated_api_access', 'true') returning key)
     insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', made.key) from made`,
  )
  const anonymous = new Client(server)
  const alice = await person(server, 'alice')
  let refused = await anonymous.get('/api/v1/custom_emojis')
  for (let tries = 0; refused.status !== 401 && tries < 200; tries++)
    refused = await anonymous.get('/api/v1/custom_emojis')
  assert.deepEqual([refused.status, refused.json], [401, { error: 'This method requires an authenticated user' }])
  const app = new Client(server, await makeToken(server, null))
  assert.equal((await app.get('/api/v1/custom_emojis')).status, 401)
  const shown = await alice.get('/api/v1/custom_emojis')
  assert.deepEqual([shown.status, shown.json], [200, []])
  assert.equal(shown.headers.get('cache-control'), 'private, no-store')
  assert.match(shown.headers.get('vary') ?? '', /Authorization/)
})
