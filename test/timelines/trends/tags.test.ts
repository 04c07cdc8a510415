import assert from 'node:assert/strict'
import { test } from 'tap'
import { countCacheHits } from '../../support/cache_hits.ts'
import { Client, linkOf, type ClientResponse } from '../../support/client.ts'
import { person, sql } from '../../support/people.ts'
import { requestFromEach } from '../../support/processes.ts'
import { crowd, openPlace, saidBefore } from './trend_fixtures.ts'

interface Tag {
  id: string
  name: string
  history: { day: string; uses: string; accounts: string }[]
  following?: boolean
  featuring?: boolean
}

const names = (response: ClientResponse): string[] => (response.json as Tag[]).map(({ name }) => name)

test('a hashtag that five people use today trends as soon as a moderator allows it', async t => {
  const { server, ctl } = await openPlace(t)
  const [alice, ...others] = await crowd(server, 5)
  assert.ok(alice)
  await Promise.all([alice, ...others].map(one => one.postStatus('#Mill and #mill')))
  await Promise.all(others.map(one => one.postStatus('#pond')))
  await alice.postStatus('#lonely')
  await ctl('trends', 'refresh')
  const trends = (): Promise<ClientResponse> => alice.get('/api/v1/trends/tags')
  assert.deepEqual(names(await trends()), [])
  assert.match(await ctl('trends', 'list', '--undecided'), /^tag +16\.00 +undecided +mill$/m)
  await ctl('trends', 'approve', 'tag', '#Mill')
  const [tag, ...rest] = (await trends()).json as Tag[]
  assert.deepEqual(rest, [])
  assert.deepEqual([tag?.name, tag?.following, tag?.featuring], ['Mill', false, false])
  assert.equal(tag?.history.length, 7)
  assert.deepEqual([tag?.history[0]?.uses, tag?.history[0]?.accounts], ['5', '5'])
  await ctl('trends', 'reject', 'tag', 'mill')
  assert.deepEqual(names(await trends()), [])
  await assert.rejects(ctl('trends', 'approve', 'tag', 'unheardof'), /No such tag/)
})

test('without review all trends, unless rejected; statuses with limited visibility do not count', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 4)
  const [alice] = people
  assert.ok(alice)
  const silenced = await person(server, 'silenced', { account: { discoverable: true, silenced_at: new Date() } })
  const quiet = await person(server, 'quiet')
  const fifth = await person(server, 'fifth')
  await Promise.all([...people, fifth].map(one => one.postStatus('#free #barred')))
  await Promise.all([...people, silenced].map(one => one.postStatus('#limited')))
  await Promise.all(people.map(one => one.postStatus('#hushed')))
  await quiet.postStatus('#hushed', { visibility: 'unlisted' })
  await Promise.all([...people, fifth].map(one => one.postStatus('#unusable')))
  await sql(server, `update tags set usable = false where name = 'unusable'`)
  await ctl('trends', 'refresh')
  await ctl('trends', 'reject', 'tag', 'barred')
  assert.deepEqual(names(await alice.get('/api/v1/trends/tags')), ['free'])
})

test('expected use is no trend; a peak decays, and does not return for two days', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 6)
  const [alice] = people
  assert.ok(alice)
  await Promise.all(people.map(one => one.postStatus('#daily #new')))
  await Promise.all(people.slice(0, 5).map(one => saidBefore(server, one, 'daily', '1 day')))
  await ctl('trends', 'refresh')
  const score = async (name: string): Promise<number | undefined> => {
    const [row] = await sql(
      server,
      'select r.score from tag_trends r join tags t on t.id = r.tag_id where t.name = $1',
      [name],
    )
    return row && Number(row['score'])
  }
  assert.equal(await score('daily'), 0.2)
  assert.equal(await score('new'), 25)
  assert.deepEqual(names(await alice.get('/api/v1/trends/tags')), ['new'])
  const later = (hours: number): Promise<unknown> =>
    sql(server, `update tag_trends set peaked_at = peaked_at - make_interval(hours => $1)`, [hours])
  await later(4)
  await ctl('trends', 'refresh')
  assert.ok(Math.abs(((await score('new')) ?? 0) - 12.5) < 0.01)
  await later(16)
  await ctl('trends', 'refresh')
  assert.ok(((await score('new')) ?? 0) < 1)
  assert.deepEqual(names(await alice.get('/api/v1/trends/tags')), [])
  await later(29)
  await ctl('trends', 'refresh')
  assert.equal(await score('new'), 25)
})

test('trends come in pages, those in the preferred languages first', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 8)
  const french = await person(server, 'french', { user: { locale: 'fr' } })
  const reader = await person(server, 'reader', { user: { chosen_languages: ['fr', 'de'] } })
  const postStatus = (amount: number, tag: string, language: string): Promise<unknown> =>
    Promise.all(people.slice(0, amount).map(one => one.postStatus(`#${tag}`, { language })))
  await postStatus(8, 'one', 'en')
  await postStatus(7, 'zwei', 'de')
  await postStatus(6, 'trois', 'fr')
  await postStatus(5, 'vier', 'de')
  await ctl('trends', 'refresh')
  const anonymous = new Client(server)
  const path = '/api/v1/trends/tags'
  assert.deepEqual(names(await anonymous.get(path)), ['one', 'zwei', 'trois', 'vier'])
  const german = ['zwei', 'vier', 'one', 'trois']
  assert.deepEqual(names(await anonymous.get(path, { lang: 'de' })), german)
  assert.deepEqual(names(await anonymous.get(path, {}, { 'accept-language': 'de-AT,en;q=0.5' })), german)
  assert.deepEqual(names(await anonymous.get(path, {}, { 'accept-language': 'fr;q=0,en;q=0.5,de-AT;q=0.7' })), german)
  assert.deepEqual(names(await french.get(path)), ['trois', 'one', 'zwei', 'vier'])
  assert.deepEqual(names(await reader.get(path, { lang: 'en' })), ['zwei', 'trois', 'vier', 'one'])
  const first = await anonymous.get('/api/v1/trends', { limit: '1', lang: 'de' })
  assert.equal(first.headers.get('deprecation'), '@1648598400')
  assert.equal(linkOf(first, 'next'), '/api/v1/trends/tags?lang=de&limit=1&offset=1')
  assert.equal(linkOf(first, 'prev'), undefined)
  const second = await anonymous.get(linkOf(first, 'next') ?? '')
  assert.deepEqual([names(second), linkOf(second, 'prev')], [['vier'], undefined])
  const third = await anonymous.get(linkOf(second, 'next') ?? '')
  assert.deepEqual(names(third), ['one'])
  assert.equal(linkOf(third, 'prev'), '/api/v1/trends/tags?lang=de&limit=1&offset=1')
  const end = await anonymous.get(path, { limit: '20', offset: '2' })
  assert.deepEqual([names(end), linkOf(end, 'next')], [['trois', 'vier'], undefined])
  assert.deepEqual(names(await anonymous.get(path, { lang: 'de', limit: '1', offset: '-1' })), names(first))
})

test('the history of a hashtag shows seven days, also of one too busy to be counted on demand', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 3)
  const [alice] = people
  assert.ok(alice)
  await alice.postStatus('#past')
  const gone = await saidBefore(server, alice, 'past', '3 days')
  for (const ago of ['1 day', '3 days', '6 days', '7 days']) await saidBefore(server, alice, 'past', ago)
  for (const one of people) await saidBefore(server, one, 'past', '5 days')
  const uses = async (): Promise<string[]> => {
    return ((await alice.get('/api/v1/tags/past')).json as Tag).history.map(day => `${day.uses}/${day.accounts}`)
  }
  const counted = ['1/1', '1/1', '0/0', '2/1', '0/0', '3/3', '1/1']
  assert.deepEqual(await uses(), counted, 'nothing was counted yet')
  await ctl('trends', 'refresh')
  await alice.postStatus('#past again')
  assert.deepEqual(await uses(), ['2/1', ...counted.slice(1)], 'what is new is counted at once')
  await sql(server, 'update statuses set deleted_at = now() where id = $1', [gone])
  await ctl('trends', 'refresh')
  await alice.postStatus('#past and again')
  assert.deepEqual(await uses(), ['3/1', ...counted.slice(1)], 'days before stay as they were')
  await ctl('trends', 'refresh', '--all')
  await alice.postStatus('#past once more')
  assert.deepEqual(await uses(), ['4/1', '1/1', '0/0', '1/1', '0/0', '3/3', '1/1'], 'until all is counted anew')
  await sql(server, `update tag_days set uses = 5000 where day = (now() at time zone 'UTC')::date`)
  await alice.postStatus('#past the mill')
  assert.equal((await uses())[0], '5000/1', 'today was counted minutes ago')
})

test('a moderator’s decision is in the next response to anybody, and other responses remain cached', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 5)
  const [said] = await Promise.all(people.map(one => one.postStatus('#open')))
  await ctl('trends', 'refresh')
  const anonymous = new Client(server)
  const trends = async (): Promise<string[]> => names(await anonymous.get('/api/v1/trends/tags'))
  const other = `/api/v1/statuses/${said?.id}`
  for (const [decision, expected] of [
    ['approve', ['open']],
    ['reject', []],
  ] as const) {
    await requestFromEach(() => anonymous.get(other))
    assert.deepEqual(await trends(), expected.length === 0 ? ['open'] : [])
    await ctl('trends', decision, 'tag', 'open')
    // The command line is another process: its event takes effect when the log reaches it.
    const endMs = Date.now() + 30_000
    while ((await trends()).length !== expected.length && Date.now() < endMs);
    assert.deepEqual(await trends(), expected)
    const before = await countCacheHits(server)
    await anonymous.get(other)
    assert.equal(await countCacheHits(server), before + 1, decision)
  }
})

test('disabled trends are empty', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true, trends: false })
  const people = await crowd(server, 5)
  await Promise.all(people.map(one => one.postStatus('#off')))
  await ctl('trends', 'refresh')
  for (const kind of ['', '/tags', '/statuses', '/links']) {
    const response = await new Client(server).get(`/api/v1/trends${kind}`, { limit: '1' })
    assert.deepEqual([response.status, response.text, response.headers.get('link')], [200, '[]', null])
  }
})
