import assert from 'node:assert/strict'
import test from 'node:test'
import { people } from '../support/people.ts'

test('nothing trends, and caches may keep that for the anonymous', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  for (const [path, vary] of [
    ['/api/v1/trends', 'Authorization'],
    ['/api/v1/trends/tags', 'Authorization'],
    ['/api/v1/trends/statuses', 'Authorization, Accept-Language'],
    ['/api/v1/trends/links', 'Authorization, Accept-Language'],
  ] as const) {
    const answer = await anonymous.get(path, { limit: '5', offset: '5' })
    assert.equal(answer.text, '[]')
    assert.equal(
      answer.headers.get('cache-control'),
      'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
    )
    assert.ok(answer.headers.get('vary')?.startsWith(vary), path)
    assert.equal(answer.headers.get('link'), null)
    assert.equal(answer.headers.get('deprecation'), path === '/api/v1/trends' ? '@1648598400' : null)
    const own = await alice.get(path)
    assert.deepEqual([own.text, own.headers.get('cache-control')], ['[]', 'private, no-store'])
  }
})
