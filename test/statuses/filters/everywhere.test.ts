import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'

interface Status {
  readonly id: string
  readonly filtered?: readonly { readonly filter: { readonly title: string } }[]
  readonly reblog?: Status | null
  readonly quote?: { readonly quoted_status: Status | null } | null
}

const titles = (status: Status): string[] | undefined => status.filtered?.map(({ filter }) => filter.title)

/** All statuses anywhere in a response. */
function statusesIn(value: unknown): Status[] {
  if (Array.isArray(value)) return value.flatMap(statusesIn)
  if (typeof value !== 'object' || value === null) return []
  const own = 'spoiler_text' in value && 'account' in value ? [value as unknown as Status] : []
  return [...own, ...Object.values(value).flatMap(statusesIn)]
}

/**
 * Bob's statuses in every place where Alice sees them, each of which her filter `words` matches.
 */
async function makeScene(alice: Person, bob: Person) {
  await alice.follow(bob)
  await bob.follow(alice)
  const made = await alice.post('/api/v2/filters', {
    title: 'words',
    context: ['account'],
    keywords_attributes: [{ keyword: 'spider' }],
  })
  assert.equal(made.status, 200, made.text)
  const tag = `spider${alice.id}`
  await sql(alice.server, 'update accounts set indexable = true, discoverable = true where id = $1', [bob.id])
  const root = await bob.postStatus(`a spider #${tag}`)
  const reply = await bob.postStatus(`@${alice.username} a spider again`, { in_reply_to_id: root.id })
  const quote = await alice.postStatus('a spider is quoted', { quoted_status_id: root.id })
  await bob.postStatus(`@${alice.username} a secret spider`, { visibility: 'direct' })
  for (const what of ['favourite', 'bookmark', 'reblog']) await alice.post(`/api/v1/statuses/${root.id}/${what}`)
  await bob.post(`/api/v1/statuses/${root.id}/pin`)
  const list = ((await alice.post('/api/v1/lists', { title: 'x' })).json as { id: string }).id
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const url = `https://news.invalid/${root.id}`
  await sql(
    alice.server,
    `with card as (insert into preview_cards (url, type, title, trendable) values ($1, 'link', 'News', true) returning id),
     shown as (insert into preview_cards_statuses (status_id, preview_card_id, url) select $2, card.id, $1 from card),
     liked as (insert into status_trends (status_id, score) values ($2, 9)),
     decided as (update statuses set trendable = true, language = 'en' where id = $2)
     insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 9, now(), 9 from card`,
    [url, root.id],
  )
  return { tag, root, reply, quote, list, url }
}

test('every response with a status lists the reader’s filters that it matches', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { tag, root, reply, quote, list, url } = await makeScene(alice, bob)
  const reads: [string, Record<string, string>?][] = [
    ['/api/v1/timelines/home'],
    ['/api/v1/timelines/public'],
    [`/api/v1/timelines/tag/${tag}`],
    ['/api/v1/timelines/link', { url }],
    [`/api/v1/timelines/list/${list}`],
    ['/api/v1/timelines/direct'],
    [`/api/v1/accounts/${bob.id}/statuses`],
    [`/api/v1/accounts/${bob.id}/statuses`, { pinned: 'true' }],
    [`/api/v1/accounts/${alice.id}/statuses`],
    [`/api/v1/statuses/${root.id}`],
    [`/api/v1/statuses/${root.id}/context`],
    [`/api/v1/statuses/${reply.id}/context`],
    [`/api/v1/statuses/${root.id}/quotes`],
    [`/api/v1/statuses/${quote.id}`],
    ['/api/v1/statuses', { 'id[]': root.id }],
    ['/api/v1/favourites'],
    ['/api/v1/bookmarks'],
    ['/api/v1/conversations'],
    ['/api/v1/notifications'],
    ['/api/v2/notifications'],
    ['/api/v2/search', { q: 'spider', type: 'statuses' }],
    ['/api/v2/search', { q: `${alice.server.url}/@${bob.username}/${root.id}`, resolve: 'true' }],
    ['/api/v1/trends/statuses'],
  ]
  for (const [path, query] of reads) {
    const response = await alice.get(path, query)
    assert.equal(response.status, 200, `${path}: ${response.text}`)
    const known = new Set([root.id, reply.id, quote.id])
    const found = statusesIn(response.json)
    assert.ok(
      found.some(status => known.has(status.id) || path.includes('direct') || path.includes('conversations')),
      `${path} has one`,
    )
    for (const status of found) assert.deepEqual(titles(status), ['words'], `${path}: ${status.id}`)
    for (const status of statusesIn((await bob.get(path, query)).json)) assert.deepEqual(titles(status), [], path)
  }
  const edited = await alice.put(`/api/v1/statuses/${quote.id}`, { status: 'nothing' })
  assert.deepEqual(titles(edited.json as Status), [])
  const writes = ['favourite', 'unfavourite', 'bookmark', 'unbookmark', 'mute', 'unmute', 'unreblog', 'reblog']
  for (const what of writes) {
    const { json } = await alice.post(`/api/v1/statuses/${root.id}/${what}`)
    assert.deepEqual(titles(json as Status), ['words'], what)
  }
})

test('every stream message with a status does so too, also for edits, notifications and conversations', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const { tag, list } = await makeScene(alice, bob)
  const streams = {
    user: await alice.stream('user'),
    list: await alice.stream('list', { list }),
    public: await alice.stream('public'),
    'public:local': await alice.stream('public:local'),
    hashtag: await alice.stream('hashtag', { tag }),
    'hashtag:local': await alice.stream('hashtag:local', { tag }),
  }
  const { id } = await bob.postStatus(`one more spider #${tag}`)
  const hear = async (event: string, expected: string[]): Promise<void> => {
    for (const [name, stream] of Object.entries(streams)) {
      const { payload } = await stream.next(event, message => (message.payload as Status).id === id)
      assert.deepEqual(titles(payload as Status), expected, `${name}: ${event}`)
    }
  }
  await hear('update', ['words'])
  await bob.put(`/api/v1/statuses/${id}`, { status: `harmless #${tag}` })
  await hear('status.update', [])
  await bob.put(`/api/v1/statuses/${id}`, { status: `a spider after all #${tag}` })
  await hear('status.update', ['words'])
  await alice.post('/api/v2/filters', { title: 'more', context: ['home'], keywords_attributes: [{ keyword: 'AFTER' }] })
  await bob.put(`/api/v1/statuses/${id}`, { status: `a spider, after all #${tag}` })
  await hear('status.update', ['words', 'more'])
  const direct = await alice.stream('direct')
  const notices = await alice.stream('user:notification')
  await bob.postStatus(`@${alice.username} a spider`, { visibility: 'direct' })
  const notice = (await notices.next('notification')).payload as { status: Status }
  assert.deepEqual(titles(notice.status), ['words'])
  const talk = (await direct.next('conversation')).payload as { last_status: Status }
  assert.deepEqual(titles(talk.last_status), ['words'])
  const strange = await carol.postStatus('a spider of a stranger')
  const boost = (await bob.post(`/api/v1/statuses/${strange.id}/reblog`)).json as Status
  const told = await streams.user.next('update', ({ payload }) => (payload as Status).id === boost.id)
  const shown = told.payload as Status
  assert.deepEqual([titles(shown), shown.reblog && titles(shown.reblog)], [['words'], ['words']])
})
