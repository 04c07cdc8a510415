import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { person, sql, type Person } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { signedIn } from '../support/signed_in.ts'

/**
 * Public and hashtag timelines are read once for all viewers, and each viewer's exclusions are
 * applied afterwards.
 */

const PUBLIC = '/api/v1/timelines/public'
const TAG = '/api/v1/timelines/tag/mills'

async function ids(client: Client, path: string, query: Record<string, string> = {}): Promise<string[]> {
  const response = await client.get(path, query)
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(({ id }) => id)
}

/** The ids of posts, newest first. */
async function sayMany(who: Person, count: number): Promise<string[]> {
  const said: string[] = []
  while (said.length < count) said.unshift((await who.postStatus(`number ${said.length} #mills`)).id)
  return said
}

test('a page is full although the viewer excludes most of its posts', async t => {
  const server = await startServer(t)
  const [viewer, loud, quiet] = await Promise.all(['viewer', 'loud', 'quiet'].map(name => person(server, name)))
  assert.ok(viewer && loud && quiet)
  const old = await sayMany(quiet, 3)
  await sayMany(loud, 9)
  const middle = await sayMany(quiet, 2)
  await sayMany(loud, 4)
  for (const path of [PUBLIC, TAG]) assert.equal((await ids(viewer, path, { limit: '2' })).length, 2, path)
  await viewer.post(`/api/v1/accounts/${loud.id}/mute`)
  const all = [...middle, ...old]
  const [first = '', second = '', third = '', fourth = '', last = ''] = all
  for (const path of [PUBLIC, TAG]) {
    assert.deepEqual(await ids(viewer, path, { limit: '3' }), all.slice(0, 3), path)
    assert.deepEqual(await ids(viewer, path, { limit: '2', max_id: second }), [third, fourth], path)
    assert.deepEqual(await ids(viewer, path, { limit: '2', since_id: last }), [first, second], path)
    assert.deepEqual(await ids(viewer, path, { limit: '2', min_id: last }), [third, fourth], path)
    assert.deepEqual(await ids(viewer, path, { limit: '2', min_id: third }), [first, second], path)
    assert.deepEqual(await ids(viewer, path, { limit: '40', min_id: fourth, max_id: first }), [second, third], path)
  }
  await viewer.post(`/api/v1/accounts/${loud.id}/unmute`)
  for (const path of [PUBLIC, TAG]) assert.equal((await ids(viewer, path, { limit: '18' })).length, 18, path)
})

test('a page stays short, with a link to the rest, when the viewer excludes thousands of posts before it', async t => {
  const server = await startServer(t)
  const { person: viewer, browser } = await signedIn(t, 'viewer', { server })
  const [loud, quiet] = await Promise.all([person(server, 'loud'), person(server, 'quiet')])
  const old = await quiet.postStatus('old #mills')
  const said = await loud.postStatus('a report #mills')
  await sql(
    server,
    `insert into statuses (account_id, text, content, visibility)
     select account_id, text, content, visibility from statuses, generate_series(1, 3000) where id = $1`,
    [said.id],
  )
  await sql(
    server,
    `insert into status_tags (status_id, tag_id)
     select s.id, st.tag_id from statuses s, status_tags st where s.account_id = $1 and s.id <> $2 and st.status_id = $2`,
    [loud.id, said.id],
  )
  const [newest] = await sayMany(quiet, 1)
  await viewer.post(`/api/v1/accounts/${loud.id}/mute`)
  for (const path of [PUBLIC, TAG]) {
    const down = await viewer.get(path, { limit: '5' })
    assert.deepEqual(
      (down.json as { id: string }[]).map(({ id }) => id),
      [newest],
      path,
    )
    const [next = ''] = /(?<=<)[^>]+(?=>; rel="next")/.exec(down.headers.get('link') ?? '') ?? []
    const { pathname, search } = new URL(next)
    assert.deepEqual(await ids(viewer, `${pathname}${search}`), [old.id], path)
    const up = await viewer.get(path, { limit: '5', min_id: String(BigInt(old.id) - 1n) })
    assert.deepEqual(
      (up.json as { id: string }[]).map(({ id }) => id),
      [old.id],
      path,
    )
    const [previous = ''] = /(?<=<)[^>]+(?=>; rel="prev")/.exec(up.headers.get('link') ?? '') ?? []
    const above = new URL(previous)
    assert.deepEqual(await ids(viewer, `${above.pathname}${above.search}`), [newest], path)
  }
  const page = await browser.get('/tags/mills')
  const [older = ''] = /\/tags\/mills\?max_id=\d+/.exec(page.text) ?? []
  assert.ok(page.text.includes(String(newest)) && !page.text.includes(old.id), page.text)
  assert.ok((await browser.get(older)).text.includes(old.id), older)
})

test('a cached page is dropped as soon as something changes it', async t => {
  const server = await startServer(t)
  const [author, reader] = await Promise.all([person(server, 'author'), person(server, 'reader')])
  const expect = async (listed: readonly string[], tagged: readonly string[], when: string): Promise<void> => {
    for (const client of [reader, new Client(server)]) {
      assert.deepEqual(await ids(client, PUBLIC), listed, when)
      assert.deepEqual(await ids(client, TAG), tagged, when)
    }
  }
  await expect([], [], 'at first')
  const one = await author.postStatus('one #mills')
  await expect([one.id], [one.id], 'posted')
  const two = await author.postStatus('two')
  await expect([two.id, one.id], [one.id], 'another')
  await author.put(`/api/v1/statuses/${two.id}`, { status: 'two #mills' })
  await expect([two.id, one.id], [two.id, one.id], 'a hashtag is added')
  await author.put(`/api/v1/statuses/${one.id}`, { status: 'one' })
  await expect([two.id, one.id], [two.id], 'a hashtag is taken away')
  await author.delete(`/api/v1/statuses/${two.id}`)
  await expect([one.id], [], 'deleted')
  await author.postStatus('to my followers #mills', { visibility: 'private' })
  await expect([one.id], [], 'private')
})

test('chosen languages: of any origin, with and without media, in both paging directions', async t => {
  const server = await startServer(t)
  const viewer = await person(server, 'viewer', { user: { chosen_languages: ['de', 'fr'] } })
  const author = await person(server, 'author')
  const said: string[] = []
  for (const language of ['de', 'en', 'fr', 'de', 'fr', 'en', 'de'])
    said.push((await author.postStatus(`in ${language}`, { language })).id)
  const [a = '', , c = '', d = '', e = '', f = '', g = ''] = said
  const setMedia = 'update statuses set media_attachment_ids = array[1] where id = any ($1::bigint[])'
  await sql(server, setMedia, [[c, f, g]])
  await sql(server, 'update statuses set local = false where id = any ($1::bigint[])', [[d, g]])
  const cases: [Record<string, string>, string[]][] = [
    [{}, [g, e, d, c, a]],
    [{ limit: '2' }, [g, e]],
    [{ limit: '2', max_id: e }, [d, c]],
    [{ limit: '2', min_id: a }, [d, c]],
    [{ limit: '2', since_id: a }, [g, e]],
    [{ local: 'true' }, [e, c, a]],
    [{ remote: 'true' }, [g, d]],
    [{ remote: 'true', min_id: a, limit: '1' }, [d]],
    [{ only_media: 'true' }, [g, c]],
    [{ only_media: 'true', local: 'true' }, [c]],
    [{ only_media: 'true', min_id: a, limit: '1' }, [c]],
  ]
  for (const [query, expected] of cases)
    assert.deepEqual(await ids(viewer, PUBLIC, query), expected, JSON.stringify(query))
  const anonymous = new Client(server)
  assert.deepEqual(await ids(anonymous, PUBLIC, { only_media: 'true' }), [g, f, c])
  assert.deepEqual(await ids(anonymous, PUBLIC, { only_media: 'true', remote: 'true' }), [g])
  assert.deepEqual(await ids(anonymous, PUBLIC, { only_media: 'true', min_id: a, limit: '1' }), [c])
})
