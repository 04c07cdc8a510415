import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import { waitForEvent } from './waiting.ts'

type Members = Record<string, unknown>

const EDITS = [
  ['PATCH', '/api/v1/accounts/update_credentials'],
  ['PATCH', '/api/v1/profile'],
  ['PUT', '/api/v1/profile'],
] as const

/**
 * Changes that every operation for editing a profile refuses, with the attribute, its label, the
 * code and the message.
 */
const REFUSED: readonly [change: Members, attribute: string, label: string, code: string, description: string][] = [
  [{ note: 'x'.repeat(501) }, 'note', 'Note', 'ERR_TOO_LONG', 'is too long (maximum is 500 characters)'],
  [
    { display_name: 'x'.repeat(41) },
    'display_name',
    'Display name',
    'ERR_TOO_LONG',
    'is too long (maximum is 40 characters)',
  ],
  [
    { fields_attributes: [{ name: ' ', value: 'v' }] },
    'fields',
    'Fields',
    'ERR_FIELDS_WITH_VALUES_MISSING_LABELS',
    'contains values with missing labels',
  ],
  [
    { attribution_domains: ['example.com', 'example com'] },
    'attribution_domains',
    'Attribution domains',
    'ERR_INVALID_DOMAIN_ON_LINE',
    'example com is not a valid domain name',
  ],
  [
    { attribution_domains: Array.from({ length: 101 }, (_, n) => `a${n}.example`) },
    'attribution_domains',
    'Attribution domains',
    'ERR_TOO_LONG',
    'is too long (maximum is 100 characters)',
  ],
  [
    { fields_attributes: Array.from({ length: 5 }, (_, n) => ({ name: `n${n}`, value: 'v' })) },
    'fields',
    'Fields',
    'ERR_TOO_LONG',
    'is too long (maximum is 4 characters)',
  ],
  [
    { avatar_description: 'x'.repeat(151) },
    'avatar_description',
    'Avatar description',
    'ERR_TOO_LONG',
    'is too long (maximum is 150 characters)',
  ],
  [
    { header_description: 'x'.repeat(151) },
    'header_description',
    'Header description',
    'ERR_TOO_LONG',
    'is too long (maximum is 150 characters)',
  ],
]

const profileOf = async (someone: Person): Promise<Members> => (await someone.get('/api/v1/profile')).json as Members

for (const [method, path] of EDITS) {
  test(`${method} ${path} stores sent attributes, leaves others unchanged, and changes nothing on an error`, async t => {
    const { alice, anonymous, server } = await people(t, 'alice')
    const edit = (body: unknown) => alice.request(method, path, { body })
    // A URL counts as 23 characters; a mention without its domain; an emoji of several code points
    // as one.
    const note = `https://example.com/${'x'.repeat(500)} @bob@${'d'.repeat(60)}.example 👩‍👩‍👧‍👦 ${'y'.repeat(469)}`
    const sent = {
      display_name: '  Ada  ',
      note: `  ${note}\n`,
      locked: true,
      bot: '1',
      discoverable: true,
      indexable: 'true',
      hide_collections: true,
      attribution_domains: ['https://one.example', '*.two.example', 'http://*.three.example', '', 'one.example'],
      fields_attributes: { 9: { name: ' a ', value: ' 1 ' }, 10: { name: '', value: '' }, 11: { name: 'b' } },
    }
    assert.equal((await edit(sent)).status, 200)
    const stored = await profileOf(alice)
    for (const [name, value] of Object.entries({
      display_name: 'Ada',
      note,
      locked: true,
      bot: true,
      discoverable: true,
      indexable: true,
      hide_collections: true,
      attribution_domains: ['one.example', 'two.example', 'three.example'],
      fields: [
        { name: 'a', value: '1', verified_at: null },
        { name: 'b', value: '', verified_at: null },
      ],
    }))
      assert.deepEqual(stored[name], value, name)
    for (const [change, attribute, label, code, description] of REFUSED) {
      const response = await edit({ ...change, bot: false })
      const error = `Validation failed: ${label} ${description}`
      assert.deepEqual(
        [response.status, response.json],
        [422, { error, details: { [attribute]: [{ error: code, description }] } }],
      )
    }
    const several = await edit({ note: 'x'.repeat(501), display_name: 'x'.repeat(41) })
    assert.deepEqual(Object.keys((several.json as { details: Members }).details), ['display_name', 'note'])
    for (const kind of ['avatar', 'header']) {
      const text = await edit({ [kind]: 'no picture' })
      assert.deepEqual([text.status, text.json], [400, { error: 'Bad Request' }], kind)
    }
    assert.deepEqual(await profileOf(alice), stored)
    assert.equal((await edit({})).status, 200)
    assert.deepEqual(await profileOf(alice), stored)
    const form = new URLSearchParams([
      ['attribution_domains[]', ''],
      ['bot', 'off'],
      ['locked', ''],
    ])
    assert.equal((await edit(form)).status, 200)
    assert.equal((await edit({ fields_attributes: [], note: '', hide_collections: false })).status, 200)
    const left = await profileOf(alice)
    const { attribution_domains, bot, locked, fields, note: noNote, hide_collections } = left
    assert.deepEqual(
      { attribution_domains, bot, locked, fields, note: noNote, hide_collections },
      { attribution_domains: [], bot: false, locked: true, fields: [], note: '', hide_collections: false },
    )
    const reader = new Client(server, await makeToken(server, alice.userId, ['read', 'profile', 'write:statuses']))
    const refused = await reader.request(method, path, { body: { bot: true } })
    assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is outside the authorized scopes' }])
    assert.equal((await anonymous.request(method, path, { body: {} })).status, 401)
  })
}

/** A picture as a data URI, followed by zeros up to this size. */
async function pictureOf(format: 'png' | 'webp', bytes = 0): Promise<string> {
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer()
  const padded = Buffer.concat([picture, Buffer.alloc(Math.max(0, bytes - picture.length))])
  return `data:image/${format};base64,${padded.toString('base64')}`
}

for (const [method, path] of EDITS) {
  test(`${method} ${path} stores pictures with their descriptions, of the supported types and below 8 MB`, async t => {
    const { alice, server } = await people(t, 'alice')
    const edit = (body: unknown) => alice.request(method, path, { body })
    const uri = await pictureOf('png')
    const sent = { avatar: uri, avatar_description: 'face', header: uri, header_description: 'place' }
    assert.equal((await edit({ ...sent, locked: false, source: { privacy: 'unlisted' } })).status, 200)
    const stored = await profileOf(alice)
    for (const kind of ['avatar', 'header']) {
      assert.ok(String(stored[kind]).startsWith(`${server.config.publicUrl}/media/${kind}s/`), String(stored[kind]))
      assert.equal(stored[`${kind}_description`], sent[`${kind}_description` as keyof typeof sent])
      for (const wrong of ['data:image/svg+xml;base64,PHN2Zy8+', 'data:text/plain;base64,aGVsbG8=']) {
        const response = await edit({ [kind]: wrong })
        assert.deepEqual([response.status, kind in (response.json as { details: Members }).details], [422, true], wrong)
      }
      const large = await edit({ [kind]: await pictureOf('png', 8 * 1024 * 1024) })
      assert.deepEqual([large.status, kind in (large.json as { details: Members }).details], [422, true])
    }
    assert.deepEqual(await profileOf(alice), stored)
  })

  test(`${method} ${path} with locked false accepts the requests, except those of limited accounts`, async t => {
    const { alice, bob, server } = await people(t, 'alice', 'bob')
    const limited = await person(server, 'limited', { account: { silenced_at: new Date() } })
    assert.equal((await alice.request(method, path, { body: { locked: true } })).status, 200)
    for (const asker of [bob, limited]) await asker.follow(alice)
    assert.equal((await alice.request(method, path, { body: { locked: false } })).status, 200)
    await waitForEvent(
      server,
      `e.kind = 'relationship.changed' and e.actor_id = $1 and e.account_id = $2 and e.data ->> 'change' = 'follow'`,
      [bob.id, alice.id],
    )
    const requests = (await alice.get('/api/v1/follow_requests')).json as { id: string }[]
    assert.deepEqual(
      requests.map(({ id }) => id),
      [limited.id],
    )
  })

  /* The server requests these URLs, so no resolver may know the names. */
  test(`${method} ${path} keeps what is verified, and has new links checked`, async t => {
    const { alice, server } = await people(t, 'alice')
    const edit = async (...values: string[]): Promise<unknown> => {
      const fields_attributes = values.map(value => ({ name: 'a', value }))
      assert.equal((await alice.request(method, path, { body: { fields_attributes } })).status, 200)
      const [jobs] = await sql(
        server,
        `select count(*)::integer as amount from graphile_worker._private_jobs where payload ->> 'account' = $1`,
        [alice.id],
      )
      return jobs?.['amount']
    }
    const link = 'https://mine.xn--nowhere/'
    assert.deepEqual([await edit('no link'), await edit(link)], [0, 1])
    await sql(
      server,
      `update accounts set fields = jsonb_set(fields, '{0,verified_at}', '"2026-01-02T03:04:05.678Z"') where id = $1`,
      [alice.id],
    )
    await edit(link, 'https://new.xn--nowhere/')
    const stored = (await profileOf(alice))['fields'] as Members[]
    assert.deepEqual(
      stored.map(field => field['verified_at']),
      ['2026-01-02T03:04:05.678+00:00', null],
    )
  })
}

test('only update_credentials changes the defaults for posting, each by itself', async t => {
  const { alice } = await people(t, 'alice')
  const sourceOf = async (): Promise<Members> =>
    ((await alice.get('/api/v1/accounts/verify_credentials')).json as { source: Members }).source
  const before = await sourceOf()
  for (const method of ['PATCH', 'PUT']) {
    await alice.request(method, '/api/v1/profile', { body: { source: { privacy: 'private' } } })
  }
  assert.deepEqual(await sourceOf(), before)
  const update = (source: unknown) => alice.patch('/api/v1/accounts/update_credentials', { source })
  for (const [name, value] of Object.entries({
    privacy: 'private',
    sensitive: true,
    language: 'fr',
    quote_policy: 'followers',
  })) {
    assert.equal((await update({ [name]: value })).status, 200)
    before[name] = value
    assert.deepEqual(await sourceOf(), before)
  }
  for (const wrong of [{ privacy: 'direct' }, { privacy: 'x' }, { quote_policy: 'x' }, { language: 'not' }]) {
    const response = await update(wrong)
    assert.equal(response.status, 422, JSON.stringify(wrong))
    assert.match((response.json as { error: string }).error, /^Validation failed: .+ is not included in the list$/)
  }
  const status = await alice.postStatus('quiet')
  assert.deepEqual([status['visibility'], status['sensitive'], status['language']], ['private', true, 'fr'])
  const preferences = (await alice.get('/api/v1/preferences')).json as Members
  assert.deepEqual(Object.entries(preferences).slice(0, 4), [
    ['posting:default:visibility', 'private'],
    ['posting:default:sensitive', true],
    ['posting:default:language', 'fr'],
    ['posting:default:quote_policy', 'followers'],
  ])
})

test('deleting one picture leaves the other, and needs the scope', async t => {
  const { alice, server } = await people(t, 'alice')
  const uri = await pictureOf('webp')
  const put = { avatar: uri, header: uri, avatar_description: 'face', header_description: 'place' }
  assert.equal((await alice.put('/api/v1/profile', put)).status, 200)
  const whole = await profileOf(alice)
  const reader = new Client(server, await makeToken(server, alice.userId, ['read']))
  for (const [kind, other] of [
    ['header', 'avatar'],
    ['avatar', 'header'],
  ] as const) {
    assert.equal((await reader.delete(`/api/v1/profile/${kind}`)).status, 403)
    const response = await alice.delete(`/api/v1/profile/${kind}`)
    assert.equal(response.status, 200)
    assert.ok('source' in (response.json as Members), 'the response is the account with source')
    const left = await profileOf(alice)
    assert.deepEqual([left[kind], left[`${kind}_static`], left[`${kind}_description`]], [null, null, ''])
    if (kind === 'header') {
      for (const name of [other, `${other}_static`, `${other}_description`]) assert.equal(left[name], whole[name])
    }
    assert.equal((await alice.delete(`/api/v1/profile/${kind}`)).status, 200)
  }
})
