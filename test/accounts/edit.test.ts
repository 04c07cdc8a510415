import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { makeToken, people, type Person } from '../support/people.ts'

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
      const answer = await edit({ ...change, bot: false })
      const error = `Validation failed: ${label} ${description}`
      assert.deepEqual(
        [answer.status, answer.json],
        [422, { error, details: { [attribute]: [{ error: code, description }] } }],
      )
    }
    const several = await edit({ note: 'x'.repeat(501), display_name: 'x'.repeat(41) })
    assert.deepEqual(Object.keys((several.json as { details: Members }).details), ['display_name', 'note'])
    assert.deepEqual((await edit({ header: 'no picture' })).json, { error: 'Bad Request' })
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
    const answer = await update(wrong)
    assert.equal(answer.status, 422, JSON.stringify(wrong))
    assert.match((answer.json as { error: string }).error, /^Validation failed: .+ is not included in the list$/)
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
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  const uri = `data:image/webp;base64,${bytes.toString('base64')}`
  const put = { avatar: uri, header: uri, avatar_description: 'face', header_description: 'place' }
  assert.equal((await alice.put('/api/v1/profile', put)).status, 200)
  const whole = await profileOf(alice)
  const reader = new Client(server, await makeToken(server, alice.userId, ['read']))
  for (const [kind, other] of [
    ['header', 'avatar'],
    ['avatar', 'header'],
  ] as const) {
    assert.equal((await reader.delete(`/api/v1/profile/${kind}`)).status, 403)
    const answer = await alice.delete(`/api/v1/profile/${kind}`)
    assert.equal(answer.status, 200)
    assert.ok('source' in (answer.json as Members), 'the response is the account with source')
    const left = await profileOf(alice)
    assert.deepEqual([left[kind], left[`${kind}_static`], left[`${kind}_description`]], [null, null, ''])
    if (kind === 'header') {
      for (const name of [other, `${other}_static`, `${other}_description`]) assert.equal(left[name], whole[name])
    }
    assert.equal((await alice.delete(`/api/v1/profile/${kind}`)).status, 200)
  }
})
