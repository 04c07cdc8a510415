import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { people } from '../../support/people.ts'

test('a hashtag that is longer than a post is none', async t => {
  const { alice } = await people(t, 'alice')
  const collection = { name: 'choir', sensitive: false, discoverable: true }
  // Without a limit, the index of hashtags refuses the longest.
  for (const bytes of [251, 1800, 3000]) {
    const name = `a${randomBytes(bytes).toString('hex')}`
    const collected = await alice.post('/api/v1/collections', { ...collection, tag_name: name })
    assert.equal(collected.status, 422, collected.text)
    const featured = await alice.post('/api/v1/featured_tags', { name })
    assert.deepEqual([featured.status, featured.json], [422, { error: 'Validation failed: Name is invalid' }])
    if (bytes < 2000) assert.equal((await alice.post(`/api/v1/tags/${name}/follow`)).status, 404)
  }
  const longest = '𠀀'.repeat(500)
  assert.equal((await alice.post('/api/v1/featured_tags', { name: longest })).status, 200)
  assert.equal((await alice.post('/api/v1/collections', { ...collection, tag_name: longest })).status, 200)
})
