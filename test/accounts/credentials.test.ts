import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { Client, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql } from '../support/people.ts'
import { waitForEvent } from './waiting.ts'

type Members = Record<string, unknown>
const UPDATE = '/api/v1/accounts/update_credentials'

const ok = (response: ClientResponse): Members => {
  assert.equal(response.status, 200, response.text)
  return response.json as Members
}
const sourceOf = (account: Members): Members => account['source'] as Members
const picture = (format: 'png' | 'gif'): Promise<Buffer> =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer()

test('verify_credentials returns the account with source and role', async t => {
  const { alice, server } = await people(t, 'alice')
  const account = ok(await alice.get('/api/v1/accounts/verify_credentials'))
  assert.equal(account['id'], alice.id)
  assert.deepEqual(account['source'], {
    privacy: 'public',
    sensitive: false,
    language: null,
    note: '',
    fields: [],
    follow_requests_count: 0,
    hide_collections: null,
    discoverable: null,
    indexable: false,
    attribution_domains: [],
    quote_policy: 'public',
  })
  assert.deepEqual(account['role'], {
    id: '-99',
    name: '',
    permissions: '65536',
    color: '',
    highlighted: false,
    collection_limit: 10,
  })
  const owner = await person(server, 'owner', { roleId: 3 })
  assert.equal(
    (ok(await owner.get('/api/v1/accounts/verify_credentials'))['role'] as Members)['permissions'],
    '8388607',
  )
  const profile = new Client(server, await makeToken(server, alice.userId, ['profile']))
  ok(await profile.get('/api/v1/accounts/verify_credentials'))
  const writer = new Client(server, await makeToken(server, alice.userId, ['write']))
  assert.equal((await writer.get('/api/v1/accounts/verify_credentials')).status, 403)
  const app = new Client(server, await makeToken(server, null))
  const refused = await app.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([refused.status, refused.json], [422, { error: 'This method requires an authenticated user' }])
})

test('update_credentials changes only the sent attributes', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const changed = ok(
    await alice.patch(UPDATE, {
      display_name: '  Alice  ',
      note: `hi @${bob.username} #Mill https://example.com`,
      discoverable: true,
      indexable: true,
      locked: false,
      bot: true,
      attribution_domains: ['https://Example.com', '*.example.org', 'example.com', ''],
      source: { privacy: 'unlisted', sensitive: true, language: 'de', quote_policy: 'nobody' },
    }),
  )
  assert.equal(changed['display_name'], 'Alice')
  assert.equal(changed['bot'], true)
  const note = String(changed['note'])
  assert.ok(note.includes(`<a href="${server.config.publicUrl}/@${bob.username}" class="u-url mention">`), note)
  assert.ok(note.includes(`<a href="${server.config.publicUrl}/tags/Mill"`), note)
  assert.deepEqual(sourceOf(changed), {
    ...sourceOf(changed),
    privacy: 'unlisted',
    sensitive: true,
    language: 'de',
    quote_policy: 'nobody',
    note: `hi @${bob.username} #Mill https://example.com`,
    discoverable: true,
    indexable: true,
    attribution_domains: ['example.com', 'example.org'],
  })
  const again = ok(await alice.patch(UPDATE, { bot: 'false', source: { language: '' } }))
  assert.equal(again['display_name'], 'Alice')
  assert.equal(again['bot'], false)
  assert.equal(sourceOf(again)['privacy'], 'unlisted')
  assert.equal(sourceOf(again)['language'], null)
  ok(await alice.patch(UPDATE, { source: {} }))
  assert.equal(ok(await anonymous.get(`/api/v1/accounts/${alice.id}`))['display_name'], 'Alice')
  assert.deepEqual(ok(await alice.get('/api/v1/preferences')), {
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'en',
    'posting:default:quote_policy': 'nobody',
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
    'reading:autoplay:gifs': false,
  })
})

test('profile fields are accepted as an array, by index and as a form', async t => {
  const { alice, server } = await people(t, 'alice')
  const fieldsOf = (account: Members): string[] =>
    (sourceOf(account)['fields'] as { name: string; value: string }[]).map(({ name, value }) => `${name}=${value}`)
  const array = [
    { name: 'a', value: '1' },
    { name: '', value: '' },
    { name: 'b', value: 'x'.repeat(300) },
  ]
  assert.deepEqual(fieldsOf(ok(await alice.patch(UPDATE, { fields_attributes: array }))), [
    'a=1',
    `b=${'x'.repeat(255)}`,
  ])
  const byIndex = { 7: { name: 'late', value: '1' }, 3: { name: 'early', value: '2' } }
  assert.deepEqual(fieldsOf(ok(await alice.patch(UPDATE, { fields_attributes: byIndex }))).toSorted(), [
    'early=2',
    'late=1',
  ])
  const form = new URLSearchParams([
    ['fields_attributes[5][name]', 'first'],
    ['fields_attributes[5][value]', 'https://example.com/me'],
    ['fields_attributes[0][name]', 'second'],
    ['fields_attributes[0][value]', '2'],
  ])
  const account = ok(await alice.patch(UPDATE, form))
  assert.deepEqual(fieldsOf(account), ['first=https://example.com/me', 'second=2'])
  const [first] = account['fields'] as { value: string; verified_at: null }[]
  assert.match(String(first?.value), /rel="nofollow noopener me"/)
  await sql(
    server,
    `update accounts set fields = jsonb_set(fields, '{0,verified_at}', '"2026-01-02T03:04:05.678Z"') where id = $1`,
    [alice.id],
  )
  const after = ok(await alice.patch(UPDATE, form))
  assert.equal((after['fields'] as Members[])[0]?.['verified_at'], '2026-01-02T03:04:05.678+00:00')
})

test('each invalid profile attribute has its own error', async t => {
  const { alice } = await people(t, 'alice')
  const long = (name: string, label: string, limit: number, length = limit + 1): [Members, string, unknown] => [
    { [name]: 'x'.repeat(length) },
    `Validation failed: ${label} is too long (maximum is ${limit} characters)`,
    { [name]: [{ error: 'ERR_TOO_LONG', description: `is too long (maximum is ${limit} characters)` }] },
  ]
  const cases: [Members, string, unknown][] = [
    long('note', 'Note', 500),
    long('display_name', 'Display name', 40),
    long('avatar_description', 'Avatar description', 150),
    long('header_description', 'Header description', 150),
    [
      { fields_attributes: Array.from({ length: 5 }, (_, n) => ({ name: `n${n}`, value: 'v' })) },
      'Validation failed: Fields is too long (maximum is 4 characters)',
      { fields: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 4 characters)' }] },
    ],
    [
      { fields_attributes: [{ name: '', value: 'v' }] },
      'Validation failed: Fields contains values with missing labels',
      {
        fields: [
          { error: 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS', description: 'contains values with missing labels' },
        ],
      },
    ],
    [
      { attribution_domains: ['example com'] },
      'Validation failed: Attribution domains example com is not a valid domain name',
      {
        attribution_domains: [
          { error: 'ERR_INVALID_DOMAIN_ON_LINE', description: 'example com is not a valid domain name' },
        ],
      },
    ],
    [
      { attribution_domains: Array.from({ length: 101 }, (_, n) => `a${n}.example`) },
      'Validation failed: Attribution domains is too long (maximum is 100 characters)',
      { attribution_domains: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 100 characters)' }] },
    ],
  ]
  for (const [change, error, details] of cases) {
    const response = await alice.patch(UPDATE, change)
    assert.deepEqual([response.status, response.json], [422, { error, details }])
  }
  for (const source of [{ privacy: 'everyone' }, { quote_policy: 'some' }, { language: 'xx-none' }]) {
    assert.equal((await alice.patch(UPDATE, { source })).status, 422)
  }
  const text = await alice.patch(UPDATE, { avatar: 'hello' })
  assert.deepEqual([text.status, text.json], [400, { error: 'Bad Request' }])
  const wrong = new FormData()
  wrong.set('avatar', new Blob(['no picture'], { type: 'image/png' }), 'a.png')
  const response = await alice.request('PATCH', UPDATE, { body: wrong })
  assert.equal(response.status, 422)
  assert.ok('avatar' in ((response.json as Members)['details'] as Members))
})

test('of a refused change no file is left', async t => {
  const { alice, server } = await people(t, 'alice')
  const files = (): Promise<string[]> => readdir(path.join(server.config.dataDir, 'media'), { recursive: true })
  ok(await alice.patch(UPDATE, { avatar: `data:image/png;base64,${(await picture('png')).toString('base64')}` }))
  const before = await files()
  assert.ok(before.some(name => name.startsWith('avatars')))
  const form = new FormData()
  form.set('avatar', new Blob([new Uint8Array(await picture('gif'))], { type: 'image/gif' }), 'a.gif')
  form.set('header', new Blob(['no picture'], { type: 'image/png' }), 'a.png')
  assert.equal((await alice.request('PATCH', UPDATE, { body: form })).status, 422)
  const isFile = (name: string): boolean => path.extname(name) !== ''
  assert.deepEqual((await files()).filter(isFile), before.filter(isFile))
})

test('of one account one picture is converted at a time and three wait', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const large = await sharp({ create: { width: 5500, height: 5500, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const header = `data:image/png;base64,${large.toString('base64')}`
  const changes = Promise.all(Array.from({ length: 30 }, () => alice.patch(UPDATE, { header })))
  ok(await bob.patch(UPDATE, { avatar: `data:image/png;base64,${(await picture('png')).toString('base64')}` }))
  const statuses = (await changes).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200, 429]))
  assert.match(String(ok(await alice.patch(UPDATE, { header }))['header']), /\/headers\//)
})

test('pictures are uploaded as files or data URIs, and removed', async t => {
  const { alice, server } = await people(t, 'alice')
  const form = new FormData()
  form.set('avatar', new Blob([new Uint8Array(await picture('gif'))], { type: 'image/gif' }), 'a.gif')
  form.set('avatar_description', 'a red square')
  const account = ok(await alice.request('PATCH', UPDATE, { body: form }))
  assert.match(String(account['avatar']), /\/media\/avatars\/.*\.gif$/)
  assert.match(String(account['avatar_static']), /_static\.png$/)
  assert.equal(account['avatar_description'], 'a red square')
  const header = `data:image/png;base64,${(await picture('png')).toString('base64')}`
  const both = ok(await alice.patch(UPDATE, { header, avatar: '' }))
  assert.equal(both['avatar'], account['avatar'])
  assert.match(String(both['header']), /\/media\/headers\/.*\.png$/)
  const profile = ok(await alice.get('/api/v1/profile'))
  assert.deepEqual(
    Object.keys(profile),
    (
      'id display_name note fields formatted_note formatted_fields avatar avatar_static avatar_description ' +
      'header header_static header_description locked bot hide_collections discoverable indexable show_media ' +
      'show_media_replies show_featured attribution_domains featured_tags'
    ).split(' '),
  )
  assert.equal(profile['avatar'], account['avatar'])
  const withoutAvatar = ok(await alice.delete('/api/v1/profile/avatar'))
  assert.equal(withoutAvatar['avatar'], `${server.config.publicUrl}/avatars/original/missing.png`)
  assert.equal(withoutAvatar['avatar_description'], '')
  assert.equal(withoutAvatar['header'], both['header'])
  ok(await alice.delete('/api/v1/profile/avatar'))
  const none = ok(await alice.patch(UPDATE, { header: null }))
  assert.equal(none['header'], `${server.config.publicUrl}/headers/original/missing.png`)
  const edited = ok(await alice.put('/api/v1/profile', { show_media: false, display_name: 'A' }))
  assert.deepEqual([edited['show_media'], edited['display_name'], edited['avatar']], [false, 'A', null])
})

test('unlocking an account accepts its follow requests, except those of silenced accounts', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const silenced = await person(server, 'silenced', { account: { silenced_at: new Date() } })
  ok(await alice.patch(UPDATE, { locked: true }))
  for (const asker of [bob, silenced]) await asker.follow(alice)
  assert.equal(sourceOf(ok(await alice.get('/api/v1/accounts/verify_credentials')))['follow_requests_count'], 2)
  assert.equal(sourceOf(ok(await alice.patch(UPDATE, { locked: true })))['privacy'], 'private')
  ok(await alice.patch(UPDATE, { locked: false }))
  await waitForEvent(
    server,
    `e.kind = 'relationship.changed' and e.actor_id = $1 and e.account_id = $2 and e.data ->> 'change' = 'follow'`,
    [bob.id, alice.id],
  )
  const waiting = (await alice.get('/api/v1/follow_requests')).json as { id: string }[]
  assert.deepEqual(
    waiting.map(account => account.id),
    [silenced.id],
  )
})

test('a job ends an expired mute and records the event', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.post(`/api/v1/accounts/${bob.id}/mute`, { duration: 1 })
  await waitForEvent(
    server,
    `e.kind = 'relationship.changed' and e.actor_id = $1 and e.account_id = $2 and e.data ->> 'change' = 'unmute'`,
    [alice.id, bob.id],
  )
  assert.deepEqual((await alice.get('/api/v1/mutes')).json, [])
})
