import assert from 'node:assert/strict'
import { test } from 'tap'
import type { ClientResponse } from '../../support/client.ts'
import { people } from '../../support/people.ts'

interface Old {
  id: string
  phrase: string
  context: string[]
  whole_word: boolean
  expires_at: string | null
  irreversible: boolean
}

const answered = ({ status, json }: ClientResponse): unknown[] => [status, json]
const refused = (fault: string): unknown[] => [422, { error: fault }]
const MISSING = [404, { error: 'Record not found' }]

test('a filter of version 1 is a filter with one keyword', async t => {
  const { alice } = await people(t, 'alice')
  const response = await alice.post('/api/v1/filters', { phrase: 'cat', context: ['home'], irreversible: true })
  const made = response.json as Old
  const shown = { phrase: 'cat', context: ['home'], whole_word: true, expires_at: null, irreversible: true }
  assert.deepEqual(answered(response), [200, { id: made.id, ...shown }])
  assert.equal(response.headers.get('deprecation'), '@1668384000')
  const [filter] = (await alice.get('/api/v2/filters')).json as Record<string, unknown>[]
  assert.deepEqual([filter?.['title'], filter?.['filter_action']], ['cat', 'hide'])
  assert.deepEqual(filter?.['keywords'], [{ id: made.id, keyword: 'cat', whole_word: true }])
  const none = "Context can't be blank, Context None or invalid context supplied"
  for (const [body, fault] of [
    [{ context: ['home'] }, "Title can't be blank"],
    [{ context: ['home'], phrase: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ phrase: 'x' }, none],
    [{ phrase: 'x', context: ['moon'] }, 'Context None or invalid context supplied'],
  ] as const)
    assert.deepEqual(answered(await alice.post('/api/v1/filters', body)), refused(`Validation failed: ${fault}`))
  assert.deepEqual((await alice.get('/api/v2/filters')).json, [filter], 'nothing of the refused ones was created')
})

test('a filter of version 1 is changed; of one with several keywords only its own keyword', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const body = { phrase: 'cat', context: ['home'], expires_in: 60 }
  const made = (await alice.post('/api/v1/filters', body)).json as Old
  const path = `/api/v1/filters/${made.id}`
  assert.deepEqual((await alice.put(path, {})).json, made)
  const next = { phrase: 'dog', context: ['public'], irreversible: true, whole_word: false }
  const changed = await alice.put(path, { ...next, expires_in: '' })
  assert.deepEqual(answered(changed), [200, { id: made.id, ...next, expires_at: null }])
  assert.deepEqual((await alice.get(path)).json, changed.json)
  assert.deepEqual(
    answered(await alice.put(path, { phrase: '' })),
    refused("Validation failed: Keyword can't be blank"),
  )
  for (const method of ['PUT', 'PATCH'])
    assert.deepEqual(
      answered(await alice.request(method, path, { body: { context: ['moon'] } })),
      refused('Validation failed: Context None or invalid context supplied'),
    )
  assert.deepEqual(answered(await bob.put(path, next)), MISSING)
  const [filter] = (await alice.get('/api/v2/filters')).json as { id: string; title: string }[]
  assert.equal(filter?.title, 'dog')
  await alice.post(`/api/v2/filters/${filter?.id}/keywords`, { keyword: 'hound' })
  const shared =
    'These parameters cannot be changed from this application because they apply to more than one filter keyword. Use a more recent application or the web interface.'
  for (const own of [{ phrase: 'puppy' }, { context: ['home'] }, { irreversible: false }, { expires_in: 5 }])
    assert.deepEqual(answered(await alice.put(path, { ...own, whole_word: true })), refused(shared))
  assert.deepEqual((await alice.get(path)).json, changed.json)
  const phrases = ((await alice.get('/api/v1/filters')).json as Old[]).map(one => one.phrase)
  assert.deepEqual(phrases, ['dog', 'hound'], 'one for each keyword')
  const word = await alice.put(path, { ...next, expires_in: '', whole_word: true })
  assert.deepEqual(answered(word), [200, { ...(changed.json as Old), whole_word: true }])
})

test('deleting a filter of version 1 removes only its keyword', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { id } = (await alice.post('/api/v1/filters', { phrase: 'cat', context: ['home'] })).json as Old
  assert.deepEqual(answered(await bob.delete(`/api/v1/filters/${id}`)), MISSING)
  assert.deepEqual(answered(await alice.delete(`/api/v1/filters/${id}`)), [200, {}])
  assert.deepEqual(answered(await alice.delete(`/api/v1/filters/${id}`)), MISSING)
  assert.deepEqual((await alice.get('/api/v1/filters')).json, [])
  assert.equal(((await alice.get('/api/v2/filters')).json as unknown[]).length, 1)
})
