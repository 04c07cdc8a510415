import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { people } from '../../support/people.ts'
import { openRequest } from '../../support/raw_request.ts'

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

test('a name that is longer than a hashtag selects nothing, whatever it is without invalid characters', async t => {
  const { alice } = await people(t, 'alice')
  const tea = `t${randomBytes(6).toString('hex')}`
  await alice.postStatus('#another')
  const { id } = await alice.postStatus(`#${tea}`)
  const ids = async (path: string, query: Record<string, string> = {}): Promise<string[]> => {
    const found = await alice.get(path, query)
    assert.equal(found.status, 200, found.text)
    return (found.json as { id: string }[]).map(one => one.id)
  }
  const dots = (count: number): string => `${tea}${'.'.repeat(count)}`
  for (const [count, listed] of [
    [20, [id]],
    [500, []],
  ] as const) {
    const written = dots(count)
    assert.deepEqual(await ids(`/api/v1/timelines/tag/${written}`), listed)
    const withAny = await ids('/api/v1/timelines/tag/another', { 'any[]': written })
    assert.equal(withAny.includes(id), count === 20)
    assert.deepEqual(await ids(`/api/v1/timelines/tag/${tea}`, { 'none[]': written }), count === 20 ? [] : [id])
    assert.deepEqual(await ids(`/api/v1/accounts/${alice.id}/statuses`, { tagged: written }), listed)
    const page = await alice.get(`/tags/${written}`)
    assert.equal(page.status, count === 20 ? 200 : 404)
    const found = await alice.get('/api/v2/search', { q: written, type: 'hashtags' })
    assert.equal((found.json as { hashtags: unknown[] }).hashtags.length, listed.length)
  }
})

test('the parameters of a GET are as short in its body as in its query', async t => {
  const { alice, server } = await people(t, 'alice')
  await alice.postStatus('#another')
  const { id } = await alice.postStatus('#inabody')
  for (const [path, name] of [
    ['/api/v1/timelines/tag/another', 'any'],
    ['/api/v2/search', 'q'],
    ['/api/v1/peers/search', 'q'],
  ] as const) {
    for (const [size, status] of [
      [2000, 200],
      [5000, path === '/api/v2/search' ? 422 : 200],
      [100_000, 413],
    ] as const) {
      const body = JSON.stringify({ [name]: name === 'any' ? ['x'.repeat(size), 'inabody'] : 'x'.repeat(size) })
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
      const request = await openRequest(t, server.url, `GET ${path}`, headers)
      await request.send(body)
      assert.equal(await request.status(), status, `${path} ${size}`)
      if (name === 'any' && status === 200) assert.match(request.answer, new RegExp(`"id":"${id}"`))
    }
  }
})
