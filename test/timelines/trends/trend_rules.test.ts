import assert from 'node:assert/strict'
import { test } from 'tap'
import { jobs } from '../../../src/app/jobs.ts'
import { Client, linkOf, type ClientResponse } from '../../support/client.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import { crowd, openPlace } from './trend_fixtures.ts'

const idsOf = ({ json }: ClientResponse): string[] => (json as { id: string }[]).map(({ id }) => id)
const namesOf = ({ json }: ClientResponse): string[] => (json as { name: string }[]).map(({ name }) => name)

test('trending statuses and links come in pages by offset, to tokens of any scope', async t => {
  const { server } = await openPlace(t, { trendable_by_default: true })
  const authors = await crowd(server, 3)
  const [reader] = authors
  assert.ok(reader)
  const expected: { statuses: string[]; links: string[] } = { statuses: [], links: [] }
  for (const [index, author] of authors.entries()) {
    const { id } = await author.postStatus(`number ${index}`, { language: 'en' })
    expected.statuses.unshift(id)
    const url = `https://paper.example/${index}`
    expected.links.unshift(url)
    await sql(server, 'insert into status_trends (status_id, score) values ($1, $2)', [id, index + 10])
    await sql(
      server,
      `with card as (
         insert into preview_cards (url, type, title, description, language, provider_name, trendable)
         values ($1, 'link', 'News', 'What is new', 'en', 'Paper', true) returning id
       )
       insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, $2, now(), $2 from card`,
      [url, index + 10],
    )
  }
  const urlsOf = ({ json }: ClientResponse): string[] => (json as { url: string }[]).map(({ url }) => url)
  for (const scopes of [['profile'], ['write:media'], ['read']]) {
    const client = new Client(server, await makeToken(server, reader.userId, scopes))
    for (const [kind, read] of [
      ['statuses', idsOf],
      ['links', urlsOf],
    ] as const) {
      const path = `/api/v1/trends/${kind}`
      const pages: string[] = []
      const links: unknown[] = []
      for (const offset of ['0', '1', '2', '3']) {
        const page = await client.get(path, { limit: '1', offset })
        pages.push(...read(page))
        links.push([linkOf(page, 'next'), linkOf(page, 'prev')])
      }
      assert.deepEqual(pages, expected[kind])
      const at = (offset: number): string => `${path}?limit=1&offset=${offset}`
      assert.deepEqual(links, [
        [at(1), undefined],
        [at(2), undefined],
        [at(3), at(1)],
        [undefined, at(2)],
      ])
    }
    for (const path of ['/api/v1/trends', '/api/v1/trends/tags']) assert.equal((await client.get(path)).status, 200)
  }
})

test('the older path shows the same hashtags, decided and in the same order', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 7)
  const [alice] = people
  assert.ok(alice)
  const say = (amount: number, tag: string, language: string): Promise<unknown> =>
    Promise.all(people.slice(0, amount).map(one => one.postStatus(`#${tag}`, { language })))
  await say(7, 'one', 'en')
  await say(6, 'zwei', 'de')
  await say(5, 'undecided', 'de')
  await ctl('trends', 'refresh')
  for (const name of ['one', 'zwei']) await ctl('trends', 'approve', 'tag', name)
  const reader = await person(server, 'reader', { user: { chosen_languages: ['de'] } })
  const narrow = new Client(server, await makeToken(server, reader.userId, ['write:media']))
  for (const [client, query, expected] of [
    [new Client(server), { lang: 'en' }, ['one', 'zwei']],
    [new Client(server), { lang: 'de' }, ['zwei', 'one']],
    [narrow, {}, ['zwei', 'one']],
  ] as const)
    for (const path of ['/api/v1/trends', '/api/v1/trends/tags'])
      assert.deepEqual(namesOf(await client.get(path, query)), expected, path)
  const [tag] = (await narrow.get('/api/v1/trends')).json as Record<string, unknown>[]
  assert.deepEqual([tag?.['following'], tag?.['featuring']], [false, false])
})

test('trending statuses of blocked domains are left out', async t => {
  const { server } = await openPlace(t, { trendable_by_default: true })
  const [near, far, reader] = await crowd(server, 3)
  assert.ok(near && far && reader)
  const [one, other] = [await near.postStatus('near'), await far.postStatus('far')]
  await sql(server, `update accounts set domain = 'far.example', uri = 'https://far.example/' || id where id = $1`, [
    far.id,
  ])
  await sql(server, 'insert into status_trends (status_id, score) values ($1, 10), ($2, 20)', [one.id, other.id])
  assert.deepEqual(idsOf(await reader.get('/api/v1/trends/statuses')), [other.id, one.id])
  await reader.post('/api/v1/domain_blocks', { domain: 'far.example' })
  assert.deepEqual(idsOf(await reader.get('/api/v1/trends/statuses')), [one.id])
})

test('a job computes the scores every five minutes', async () => {
  const found = jobs.find(({ name }) => name === 'trends.refresh')
  assert.equal(found?.cron, '*/5 * * * *')
})
