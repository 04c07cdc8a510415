import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../../support/people.ts'

type Status = {
  id: string
  filtered?: { filter: { title: string }; keyword_matches: unknown; status_matches: unknown }[]
}

const titles = (status: Status | undefined): string[] | undefined => status?.filtered?.map(({ filter }) => filter.title)

async function make(owner: Person, title: string, body: object): Promise<{ id: string; keywords: { id: string }[] }> {
  return (await owner.post('/api/v2/filters', { title, ...body })).json as { id: string; keywords: { id: string }[] }
}

test('each change of a filter is sent once to the streams of its owner, and to no others', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const stream = await alice.stream('user')
  const other = await bob.stream('user')
  const status = await bob.postStatus('hello')
  const filter = await make(alice, 'F', {
    context: ['home'],
    keywords_attributes: [{ keyword: 'a' }, { keyword: 'b' }],
  })
  await stream.next('filters_changed')
  const path = `/api/v2/filters/${filter.id}`
  const entryOf = async (): Promise<string> =>
    ((await alice.get(`${path}/statuses`)).json as { id: string }[])[0]?.id ?? ''
  for (const change of [
    () => alice.put(path, { title: 'G', keywords_attributes: [{ keyword: 'c' }, { keyword: 'd' }] }),
    () => alice.post(`${path}/keywords`, { keyword: 'e' }),
    () => alice.put(`/api/v2/filters/keywords/${filter.keywords[0]?.id}`, { keyword: 'f' }),
    () => alice.delete(`/api/v2/filters/keywords/${filter.keywords[1]?.id}`),
    () => alice.post(`${path}/statuses`, { status_id: status.id }),
    async () => alice.delete(`/api/v2/filters/statuses/${await entryOf()}`),
    () => alice.post('/api/v1/filters', { phrase: 'x', context: ['home'] }),
    () => alice.put(`/api/v1/filters/${filter.keywords[0]?.id}`, { whole_word: false }),
    () => alice.delete(`/api/v1/filters/${filter.keywords[0]?.id}`),
    () => alice.delete(path),
  ]) {
    assert.equal((await change()).status, 200)
    const { payload } = await stream.next('filters_changed')
    assert.equal(payload, undefined)
  }
  const { id } = await alice.postStatus('the end')
  const rest = await stream.upTo('update', ({ payload }) => (payload as Status).id === id)
  assert.deepEqual(
    rest.map(({ event }) => event),
    ['update'],
  )
  const own = await bob.postStatus('the end')
  const received = await other.upTo('update', ({ payload }) => (payload as Status).id === own.id)
  assert.ok(received.every(({ event }) => event === 'update'))
})

test('a change applies from the next response, on every timeline and in any context', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const { id } = await bob.postStatus('a spider #arachnids')
  const first = await make(alice, 'words', {
    context: ['notifications'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'spider' }],
  })
  await make(alice, 'more', { context: ['thread'], keywords_attributes: [{ keyword: 'arach', whole_word: false }] })
  const paths = [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/arachnids',
    `/api/v1/accounts/${bob.id}/statuses`,
  ]
  const seen = async (who: { get: Person['get'] }, path: string): Promise<Status | undefined> =>
    ((await who.get(path)).json as Status[]).find(status => status.id === id)
  for (const path of paths) assert.deepEqual(titles(await seen(alice, path)), ['words', 'more'], path)
  assert.deepEqual(titles(await seen(bob, '/api/v1/timelines/public')), [])
  assert.equal((await seen(anonymous, '/api/v1/timelines/public'))?.filtered, undefined)
  await bob.post('/api/v1/statuses', { status: `@${alice.username} spider`, visibility: 'direct' })
  const [notice] = (await alice.get('/api/v1/notifications')).json as { status?: Status }[]
  assert.deepEqual(titles(notice?.status), ['words'])
  await alice.put(`/api/v2/filters/${first.id}`, { expires_in: 0 })
  assert.deepEqual(titles(await seen(alice, '/api/v1/timelines/home')), ['more'])
  await alice.put(`/api/v2/filters/${first.id}`, { expires_in: 3600, title: 'revived' })
  assert.deepEqual(titles(await seen(alice, '/api/v1/timelines/home')), ['revived', 'more'])
  await alice.post(`/api/v2/filters/${first.id}/statuses`, { status_id: id })
  assert.deepEqual((await seen(alice, '/api/v1/timelines/home'))?.filtered?.[0]?.status_matches, [id])
  await alice.delete(`/api/v2/filters/${first.id}`)
  assert.deepEqual(titles(await seen(alice, '/api/v1/timelines/home')), ['more'])
})

test('public and hashtag streams mark statuses by keywords alone, with the present filters', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const tag = `live${alice.username.split('_')[1]}`
  const stream = await alice.stream('hashtag', { tag })
  const changes = await alice.stream('user')
  const hear = async (text: string): Promise<Status> => {
    const { id } = await bob.postStatus(`${text} #${tag}`)
    return (await stream.next('update', ({ payload }) => (payload as Status).id === id)).payload as Status
  }
  assert.deepEqual((await hear('a wasp')).filtered, [])
  const filter = await make(alice, 'F', {
    context: ['home'],
    filter_action: 'blur',
    keywords_attributes: [{ keyword: 'wasp' }],
  })
  await changes.next('filters_changed')
  const [match] = (await hear('a Wasp!')).filtered ?? []
  assert.deepEqual(match, {
    filter: { id: filter.id, title: 'F', context: ['home'], expires_at: null, filter_action: 'blur' },
    keyword_matches: ['Wasp'],
    status_matches: null,
  })
  assert.deepEqual((await hear('a bee')).filtered, [])
  await alice.delete(`/api/v2/filters/keywords/${filter.keywords[0]?.id}`)
  await changes.next('filters_changed')
  assert.deepEqual((await hear('a wasp')).filtered, [])
})
