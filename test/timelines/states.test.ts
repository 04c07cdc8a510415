import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, type Person } from '../support/people.ts'
import { startServer } from '../support/server.ts'

/** The viewer's states of statuses in hashtag and public timelines, most of which need no query. */

const TAG = '/api/v1/timelines/tag/mills'

interface Shown {
  readonly id: string
  readonly poll: { own_votes?: number[] } | null
  readonly [flag: string]: unknown
}

async function shown(viewer: Person, id: string): Promise<Shown | undefined> {
  const response = await viewer.get(TAG)
  assert.equal(response.status, 200, response.text)
  return (response.json as Shown[]).find(status => status.id === id)
}

const DEEDS: readonly (readonly [flag: string, done: string, undone: string])[] = [
  ['favourited', 'favourite', 'unfavourite'],
  ['reblogged', 'reblog', 'unreblog'],
  ['bookmarked', 'bookmark', 'unbookmark'],
  ['muted', 'mute', 'unmute'],
  ['pinned', 'pin', 'unpin'],
]

test('interactions of the viewer show at once, and so do earlier ones', async t => {
  const server = await startServer(t)
  const [author, late] = await Promise.all([person(server, 'author'), person(server, 'late')])
  const { id } = await author.postStatus('a status #mills')
  for (const [flag, done, undone] of DEEDS) {
    const act = async (who: Person, what: string): Promise<void> => {
      const response = await who.post(`/api/v1/statuses/${id}/${what}`)
      assert.equal(response.status, 200, response.text)
    }
    assert.ok(!(await shown(author, id))?.[flag], `${flag}, at first`)
    await act(author, done)
    assert.equal((await shown(author, id))?.[flag], true, `${flag}, done`)
    await act(author, undone)
    assert.ok(!(await shown(author, id))?.[flag], `${flag}, undone`)
    if (flag !== 'pinned') await act(late, done)
  }
  const first = await shown(late, id)
  for (const [flag] of DEEDS) if (flag !== 'pinned') assert.equal(first?.[flag], true, `${flag}, before the first look`)
  const poll = await author.postStatus('a poll #mills', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  assert.deepEqual((await shown(late, poll.id))?.poll?.own_votes, [])
  await late.post(`/api/v1/polls/${(poll['poll'] as { id: string }).id}/votes`, { choices: [1] })
  assert.deepEqual((await shown(late, poll.id))?.poll?.own_votes, [1])
})

test('statuses below the newest of many interactions need a query', async t => {
  const server = await startServer(t)
  const [author, viewer] = await Promise.all([person(server, 'author'), person(server, 'viewer')])
  const liked = await author.postStatus('liked long ago #mills')
  const plain = await author.postStatus('never liked #mills')
  await viewer.post(`/api/v1/statuses/${liked.id}/favourite`)
  for (let count = 0; count < 3; count++) await author.postStatus(`${count}`)
  // More than are cached, by an account that has not read the timeline yet.
  await sql(
    server,
    `with made as (
       insert into statuses (id, account_id, text, content, visibility, local)
       select $2::bigint + n, $1::bigint, 'x', 'x', 'public', true from generate_series(1, 300) n
       returning id
     )
     insert into favourites (account_id, status_id) select $3::bigint, made.id from made`,
    [author.id, plain.id, viewer.id],
  )
  assert.equal((await shown(viewer, liked.id))?.['favourited'], true)
  assert.equal((await shown(viewer, plain.id))?.['favourited'], false)
})

test('blocks and follows apply at once', async t => {
  const server = await startServer(t)
  const [author, viewer] = await Promise.all([person(server, 'author'), person(server, 'viewer')])
  const { id } = await author.postStatus('a status #mills')
  assert.ok(await shown(viewer, id))
  await author.post(`/api/v1/accounts/${viewer.id}/block`)
  assert.equal(await shown(viewer, id), undefined)
  await author.post(`/api/v1/accounts/${viewer.id}/unblock`)
  assert.ok(await shown(viewer, id))
  await viewer.post(`/api/v1/accounts/${author.id}/block`)
  assert.equal(await shown(viewer, id), undefined)
})

test('a home page of which nothing is in memory shows the interactions of the viewer, also while they change', async t => {
  const server = await startServer(t)
  const [author, booster, stranger, viewer] = await Promise.all([
    person(server, 'author'),
    person(server, 'booster'),
    person(server, 'stranger'),
    person(server, 'viewer'),
  ])
  for (const one of [author, booster]) await viewer.follow(one)
  const posts = [await stranger.postStatus('boosted'), await author.postStatus('one'), await author.postStatus('two')]
  await booster.post(`/api/v1/statuses/${posts[0]?.id}/reblog`)
  const home = async (): Promise<ReadonlyMap<string, Shown>> => {
    const response = await viewer.get('/api/v1/timelines/home')
    assert.equal(response.status, 200, response.text)
    const page = (response.json as (Shown & { reblog: Shown | null })[]).map(status => status.reblog ?? status)
    return new Map(page.map(status => [status.id, status]))
  }
  const liked = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const { id } = posts[round % posts.length] ?? { id: '' }
    await sql(server, `insert into events (kind, data) values ('caches.cleared', '{"change": "all"}')`)
    const doing = liked.has(id) ? 'unfavourite' : 'favourite'
    if (!liked.delete(id)) liked.add(id)
    const during = await Promise.all([home(), viewer.post(`/api/v1/statuses/${id}/${doing}`), home()])
    assert.equal(during[1].status, 200, during[1].text)
    const after = await home()
    for (const page of [during[0], during[2], after]) assert.equal(page.size, posts.length)
    assert.deepEqual(
      new Set([...after.values()].filter(status => status['favourited']).map(status => status.id)),
      liked,
    )
  }
})
