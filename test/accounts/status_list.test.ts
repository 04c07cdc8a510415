import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { linkOf, type Client, type ClientResponse } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'

const idsOf = (response: ClientResponse): string[] => {
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(one => one.id)
}

const read = (client: Client, author: Person, query: Record<string, string> = {}): Promise<ClientResponse> =>
  client.get(`/api/v1/accounts/${author.id}/statuses`, query)

test('the links of a profile’s statuses keep the selection, and there is a next one for full pages', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const path = `/api/v1/accounts/${alice.id}/statuses`
  assert.equal((await read(alice, alice)).headers.get('link'), null)
  const older = await alice.postStatus('#mill older')
  const newer = await alice.postStatus('#mill newer')
  const one = await read(anonymous, alice, { limit: '1' })
  assert.equal(linkOf(one, 'next'), `${path}?limit=1&max_id=${newer.id}`)
  assert.equal(linkOf(one, 'prev'), `${path}?limit=1&min_id=${newer.id}`)
  const both = await read(anonymous, alice, { limit: '3' })
  assert.deepEqual(idsOf(both), [newer.id, older.id])
  assert.deepEqual([linkOf(both, 'next'), linkOf(both, 'prev')], [undefined, `${path}?limit=3&min_id=${newer.id}`])
  for (const status of [older, newer]) await alice.post(`/api/v1/statuses/${status.id}/pin`)
  for (const choice of [
    { pinned: 'true' },
    { tagged: 'mill' },
    { exclude_replies: 'true', exclude_reblogs: 'true' },
    { tagged: 'mill', exclude_replies: 'true', exclude_reblogs: 'true' },
  ]) {
    const page = await read(anonymous, alice, { ...choice, limit: '1', exclude_direct: 'true' })
    assert.deepEqual(idsOf(page), [newer.id], JSON.stringify(choice))
    for (const rel of ['next', 'prev'] as const) {
      const { searchParams } = new URL(linkOf(page, rel) ?? '', 'http://x')
      const cursor = rel === 'next' ? 'max_id' : 'min_id'
      assert.deepEqual(Object.fromEntries(searchParams), { ...choice, limit: '1', [cursor]: newer.id })
    }
  }
})

test('boosts are left out by what the viewer blocks, unless the query excludes them anyway', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const far = await person(server, 'far', { account: { domain: 'far.example' } })
  const theirs = await bob.postStatus('theirs')
  const { id: away } = (
    await sql(
      server,
      `insert into statuses (account_id, local, uri, visibility, text, content)
       values ($1::bigint, false, 'https://far.example/s/' || $1::text, 'public', 'far', '<p>far</p>') returning id::text`,
      [far.id],
    )
  )[0] as { id: string }
  const own = await alice.postStatus('own')
  for (const id of [theirs.id, away]) assert.equal((await alice.post(`/api/v1/statuses/${id}/reblog`)).status, 200)
  const seen = async (query: Record<string, string> = {}): Promise<number> =>
    idsOf(await read(carol, alice, query)).length
  assert.equal(await seen(), 3)
  await carol.post(`/api/v1/accounts/${bob.id}/block`)
  assert.equal(await seen(), 2)
  await carol.post('/api/v1/domain_blocks', { domain: 'far.example' })
  assert.deepEqual(idsOf(await read(carol, alice)), [own.id])
  assert.deepEqual(idsOf(await read(carol, alice, { exclude_reblogs: 'true' })), [own.id])
})

test('a status whose media were removed by an edit is none with media', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const picture = new FormData()
  const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  picture.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
  const { id: media } = (await alice.request('POST', '/api/v2/media', { body: picture })).json as { id: string }
  const { id } = await alice.postStatus('with a picture', { media_ids: [media] })
  const query = { only_media: 'true', limit: '1' }
  const before = await read(anonymous, alice, query)
  assert.deepEqual(idsOf(before), [id])
  assert.ok(linkOf(before, 'next')?.includes('only_media=true'))
  assert.equal((await alice.put(`/api/v1/statuses/${id}`, { status: 'without', media_ids: [] })).status, 200)
  assert.deepEqual(idsOf(await read(anonymous, alice, query)), [])
  assert.deepEqual(idsOf(await read(anonymous, alice)), [id])
})

test('featured hashtags have no pages', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  for (const name of ['one', 'two', 'three'])
    assert.equal((await alice.post('/api/v1/featured_tags', { name })).status, 200)
  const response = await anonymous.get(`/api/v1/accounts/${alice.id}/featured_tags`, { limit: '1' })
  assert.deepEqual([(response.json as unknown[]).length, response.headers.get('link')], [3, null])
})
