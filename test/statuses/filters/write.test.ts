import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, type Person } from '../../support/people.ts'

interface Filter {
  id: string
  title: string
  context: string[]
  expires_at: string | null
  filter_action: string
  keywords: { id: string; keyword: string; whole_word: boolean }[]
  statuses: { id: string; status_id: string }[]
}

const answered = ({ status, json }: ClientResponse): unknown[] => [status, json]
const refused = (...faults: string[]): unknown[] => [422, { error: `Validation failed: ${faults.join(', ')}` }]
const MISSING = [404, { error: 'Record not found' }]

async function make(owner: Person, body: object): Promise<Filter> {
  const response = await owner.post('/api/v2/filters', body)
  assert.equal(response.status, 200, response.text)
  return response.json as Filter
}

const words = ({ keywords }: Filter): [string, boolean][] =>
  keywords.map(({ keyword, whole_word }) => [keyword, whole_word])

test('a filter is created with its keywords, by JSON and by form', async t => {
  const { alice } = await people(t, 'alice')
  const before = Date.now()
  const made = await make(alice, {
    title: 'Cats',
    context: ['home', ' public ', '', 'home'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [
      { keyword: 'cat', whole_word: false },
      { keyword: 'dog' },
      { keyword: '' },
      { keyword: 'gone', _destroy: true },
    ],
  })
  assert.deepEqual(Object.keys(made), ['id', 'title', 'context', 'expires_at', 'filter_action', 'keywords', 'statuses'])
  assert.deepEqual([made.title, made.context, made.filter_action], ['Cats', ['home', 'public'], 'blur'])
  assert.deepEqual(words(made), [
    ['cat', false],
    ['dog', true],
  ])
  assert.deepEqual(made.statuses, [])
  const inMs = Date.parse(String(made.expires_at)) - before
  assert.ok(inMs > 3_590_000 && inMs < 3_660_000, String(inMs))
  assert.deepEqual((await alice.get(`/api/v2/filters/${made.id}`)).json, made)
  const form = new URLSearchParams([
    ['title', 'Form'],
    ['context[]', 'thread'],
    ['expires_in', ''],
    ['keywords_attributes[][keyword]', 'one'],
    ['keywords_attributes[][whole_word]', 'false'],
    ['keywords_attributes[][keyword]', 'two'],
  ])
  const second = (await alice.post('/api/v2/filters', form)).json as Filter
  assert.deepEqual([second.filter_action, second.expires_at], ['warn', null])
  assert.deepEqual(words(second), [
    ['one', false],
    ['two', true],
  ])
})

test('all errors in a filter are reported at once, and nothing is created', async t => {
  const { alice } = await people(t, 'alice')
  const good = { title: 'x', context: ['home'] }
  const none = ["Context can't be blank", 'Context None or invalid context supplied']
  for (const [body, ...faults] of [
    [{}, "Title can't be blank", ...none],
    [{ ...good, title: ' ' }, "Title can't be blank"],
    [{ ...good, title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ ...good, context: [] }, ...none],
    [{ ...good, context: ['home', 'moon'] }, 'Context None or invalid context supplied'],
    [{ ...good, filter_action: 'burn' }, 'Action is not included in the list'],
    [
      { ...good, keywords_attributes: [{ keyword: 'x'.repeat(513) }] },
      'Keywords keyword is too long (maximum is 512 characters)',
    ],
    [{ ...good, keywords_attributes: [{ keyword: ' ', whole_word: true }] }, "Keywords keyword can't be blank"],
  ] as [object, ...string[]][])
    assert.deepEqual(answered(await alice.post('/api/v2/filters', body)), refused(...faults))
  const named = { ...good, keywords_attributes: [{ id: '1', keyword: 'x' }] }
  assert.deepEqual(answered(await alice.post('/api/v2/filters', named)), MISSING)
  assert.deepEqual((await alice.get('/api/v2/filters')).json, [])
  const reading = new Client(alice.server, await makeToken(alice.server, alice.userId, ['read']))
  assert.equal((await reading.post('/api/v2/filters', good)).status, 403)
})

test('a filter is changed with its keywords, all or nothing; omitted attributes keep their values', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const made = await make(alice, {
    title: 'Old',
    context: ['home'],
    expires_in: 60,
    keywords_attributes: [{ keyword: 'a' }, { keyword: 'b' }, { keyword: 'c' }],
  })
  const path = `/api/v2/filters/${made.id}`
  const [a, b] = made.keywords
  assert.deepEqual((await alice.put(path, {})).json, made)
  const changed = (
    await alice.put(path, {
      title: 'New',
      filter_action: 'hide',
      expires_in: '',
      keywords_attributes: [{ id: a?.id, whole_word: false }, { id: b?.id, _destroy: true }, { keyword: 'd' }],
    })
  ).json as Filter
  assert.deepEqual(
    [changed.title, changed.context, changed.filter_action, changed.expires_at],
    ['New', ['home'], 'hide', null],
  )
  assert.deepEqual(words(changed), [
    ['a', false],
    ['c', true],
    ['d', true],
  ])
  assert.deepEqual((await alice.get(path)).json, changed)
  const foreign = await make(bob, { title: 'B', context: ['home'], keywords_attributes: [{ keyword: 'x' }] })
  const stolen = { title: 'Stolen', keywords_attributes: [{ id: foreign.keywords[0]?.id, keyword: 'y' }] }
  assert.deepEqual(answered(await alice.put(path, stolen)), MISSING)
  assert.deepEqual(answered(await bob.put(path, { title: 'Mine' })), MISSING)
  const none = ["Context can't be blank", 'Context None or invalid context supplied']
  for (const [body, ...faults] of [
    [{ title: '' }, "Title can't be blank"],
    [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ context: [] }, ...none],
    [{ context: ['home', 'moon'] }, 'Context None or invalid context supplied'],
    [{ filter_action: 'burn' }, 'Action is not included in the list'],
    [
      { keywords_attributes: [{ id: a?.id, keyword: 'x'.repeat(513) }] },
      'Keywords keyword is too long (maximum is 512 characters)',
    ],
    [{ keywords_attributes: [{ id: a?.id, keyword: '' }] }, "Keywords keyword can't be blank"],
  ] as [object, ...string[]][])
    for (const method of ['PUT', 'PATCH'])
      assert.deepEqual(answered(await alice.request(method, path, { body })), refused(...faults), method)
  assert.deepEqual((await alice.get(path)).json, changed)
  const { id: status } = await bob.postStatus('hello')
  const entry = (await alice.post(`${path}/statuses`, { status_id: status })).json as { id: string }
  assert.deepEqual(answered(await bob.delete(path)), MISSING)
  assert.deepEqual(answered(await alice.delete(path)), [200, {}])
  assert.deepEqual(answered(await alice.delete(path)), MISSING)
  for (const below of [`keywords/${a?.id}`, `statuses/${entry.id}`])
    assert.deepEqual(answered(await alice.get(`/api/v2/filters/${below}`)), MISSING, below)
})

test('keywords are added, changed and removed one by one; the filter remains without any', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { id } = await make(alice, { title: 'F', context: ['home'] })
  const path = `/api/v2/filters/${id}/keywords`
  const added = await alice.post(path, { keyword: 'tea' })
  const keyword = added.json as { id: string }
  assert.deepEqual(answered(added), [200, { id: keyword.id, keyword: 'tea', whole_word: true }])
  const one = `/api/v2/filters/keywords/${keyword.id}`
  assert.deepEqual((await alice.get(path)).json, [keyword])
  assert.deepEqual((await alice.get(one)).json, keyword)
  const changed = { id: keyword.id, keyword: 'tea', whole_word: false }
  assert.deepEqual(answered(await alice.put(one, { whole_word: false })), [200, changed])
  for (const method of ['PUT', 'PATCH'])
    assert.deepEqual(
      answered(await alice.request(method, one, { body: { keyword: ' ' } })),
      refused("Keyword can't be blank"),
    )
  assert.deepEqual(answered(await alice.post(path)), refused("Keyword can't be blank"))
  assert.deepEqual(
    answered(await alice.post(path, { keyword: 'x'.repeat(513) })),
    refused('Keyword is too long (maximum is 512 characters)'),
  )
  for (const call of [bob.get(path), bob.post(path, { keyword: 'x' }), bob.get(one), bob.put(one, {}), bob.delete(one)])
    assert.deepEqual(answered(await call), MISSING)
  assert.deepEqual(answered(await alice.delete(one)), [200, {}])
  assert.deepEqual(answered(await alice.get(one)), MISSING)
  assert.deepEqual(((await alice.get(`/api/v2/filters/${id}`)).json as Filter).keywords, [])
})

test('visible statuses are added to a filter, once', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { id } = await make(alice, { title: 'F', context: ['home'] })
  const path = `/api/v2/filters/${id}/statuses`
  const status = await bob.postStatus('hello')
  const hidden = await bob.postStatus('hidden', { visibility: 'direct' })
  const added = await alice.post(path, { status_id: status.id })
  const entry = added.json as { id: string }
  assert.deepEqual(answered(added), [200, { id: entry.id, status_id: status.id }])
  const one = `/api/v2/filters/statuses/${entry.id}`
  assert.deepEqual((await alice.get(path)).json, [entry])
  assert.deepEqual((await alice.get(one)).json, entry)
  for (const [body, fault] of [
    [{ status_id: status.id }, 'Status has already been taken'],
    [{ status_id: hidden.id }, 'Status is invalid'],
    [{ status_id: '12' }, 'Status must exist'],
    [{ status_id: 'x' }, 'Status must exist'],
    [{}, 'Status must exist'],
  ] as const)
    assert.deepEqual(answered(await alice.post(path, body)), refused(fault))
  for (const call of [bob.get(path), bob.post(path, { status_id: status.id }), bob.get(one), bob.delete(one)])
    assert.deepEqual(answered(await call), MISSING)
  assert.deepEqual(answered(await alice.delete(one)), [200, {}])
  assert.deepEqual((await alice.get(path)).json, [])
})
