import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForMail } from '../../accounts/waiting.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { person, sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { crowd, openPlace } from './trend_fixtures.ts'

interface Link {
  url: string
  title: string
  history: { day: string; uses: string; accounts: string }[]
  missing_attribution?: boolean
}

const TRENDS = '/api/v1/trends/links'
const links = (response: ClientResponse): Link[] => response.json as Link[]
const urls = (response: ClientResponse): string[] => links(response).map(({ url }) => url)

/** Stores the card of an article, or of another page. */
async function addCard(server: ServerAddress, url: string, more: Record<string, unknown> = {}): Promise<string> {
  const card: Record<string, unknown> = {
    url,
    type: 'link',
    title: 'News',
    description: 'What is new',
    language: 'en',
    provider_name: 'Paper',
    image_key: 'cards/1.png',
    ...more,
  }
  const columns = Object.keys(card)
  const [made] = await sql(
    server,
    `insert into preview_cards (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
     returning id::text as id`,
    Object.values(card),
  )
  return String(made?.['id'])
}

/** Each account posts a status with this card. */
const share = (server: ServerAddress, card: string, by: readonly Person[], more = {}): Promise<string[]> =>
  Promise.all(
    by.map(async one => {
      const { id } = await one.postStatus('read this', more)
      await sql(
        server,
        `insert into preview_cards_statuses (status_id, preview_card_id, url) select $1, p.id, p.url from preview_cards p where p.id = $2`,
        [id, card],
      )
      return id
    }),
  )

test('articles trend by the accounts that share and boost them', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 6)
  const [alice] = people
  assert.ok(alice)
  const url = 'https://paper.example/a'
  const shared = await share(server, await addCard(server, url), people.slice(0, 3))
  for (const one of people.slice(3)) await one.post(`/api/v1/statuses/${shared[0]}/reblog`)
  await share(server, await addCard(server, 'https://paper.example/few'), people.slice(0, 4))
  for (const [name, more] of [
    ['video', { type: 'video' }],
    ['untitled', { title: '' }],
    ['undescribed', { description: '' }],
    ['without-image', { image_key: null }],
    ['by-nobody', { provider_name: '' }],
    ['in-no-language', { language: null }],
    ['no-article', { article: false }],
  ] as const) {
    await share(server, await addCard(server, `https://paper.example/${name}`, more), people)
  }
  const warned = await addCard(server, 'https://paper.example/warned')
  await share(server, warned, people.slice(0, 3), { spoiler_text: 'careful' })
  await share(server, warned, people.slice(3), { visibility: 'unlisted' })
  await ctl('trends', 'refresh')
  const [link, ...rest] = links(await alice.get(TRENDS))
  assert.deepEqual(rest, [])
  assert.deepEqual([link?.url, link?.title, link?.missing_attribution], [url, 'News', false])
  assert.equal(link?.history.length, 7)
  assert.deepEqual([link?.history[0]?.uses, link?.history[0]?.accounts], ['6', '6'])
  const [open] = links(await new Client(server).get(TRENDS))
  assert.deepEqual(Object.keys(open ?? {}).at(-1), 'history')
  await sql(server, `update statuses set deleted_at = now() where id = any ($1)`, [shared])
  await ctl('trends', 'refresh')
  assert.equal(links(await alice.get(TRENDS))[0]?.history[0]?.uses, '0', 'what is deleted does not count')
})

test('a link follows its publisher until a moderator decides about it', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 6)
  const [alice] = people
  assert.ok(alice)
  const [english, german] = ['https://paper.example/en', 'https://blatt.example/de']
  await share(server, await addCard(server, english), people)
  await share(server, await addCard(server, german, { language: 'de' }), people.slice(0, 5))
  await ctl('trends', 'refresh')
  const trends = async (lang: string): Promise<string[]> => urls(await alice.get(TRENDS, { lang }))
  assert.deepEqual(await trends('de'), [])
  await ctl('trends', 'approve', 'publisher', 'paper.example')
  assert.deepEqual(await trends('de'), [english])
  await ctl('trends', 'approve', 'link', german)
  assert.deepEqual(
    [await trends('de'), await trends('en')],
    [
      [german, english],
      [english, german],
    ],
  )
  await ctl('trends', 'reject', 'link', english)
  assert.deepEqual(await trends('de'), [german])
})

test('moderators are asked by e-mail about items that would trend', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 6)
  const [alice] = people
  assert.ok(alice)
  const moderator = await person(server, 'moderator', { roleId: 2, user: { locale: 'de' } })
  await share(server, await addCard(server, 'https://paper.example/a'), people)
  const { id } = await alice.postStatus('#rising')
  await Promise.all(people.slice(1).map(one => one.postStatus('#rising')))
  await Promise.all(people.map(one => one.post(`/api/v1/statuses/${id}/favourite`)))
  await ctl('trends', 'refresh')
  await sql(server, `select graphile_worker.add_job('trends.request_reviews')`)
  const letter = await waitForMail(server, `${moderator.username}@example.com`)
  assert.match(letter, /#rising/)
  assert.match(letter, /paper\.example/)
  assert.ok(letter.includes(`@${alice.username}`))
  const asked = `select from tags where name = 'rising' and requested_review_at is not null and reviewed_at is null`
  assert.equal((await sql(server, asked)).length, 1)
})

test('moderators are asked again about an author whose statuses left the trends undecided', async t => {
  const { server } = await openPlace(t)
  const author = await person(server, 'author', { account: { discoverable: true } })
  const { id } = await author.postStatus('popular', { language: 'en' })
  const left = `select from graphile_worker.jobs where task_identifier = 'trends.request_reviews'`
  const isAskedAfterRun = async (): Promise<boolean> => {
    await sql(server, `select graphile_worker.add_job('trends.request_reviews')`)
    await becomes(async () => (await sql(server, left)).length, 0, 'the job has ended')
    const asked = await sql(server, 'select from accounts where id = $1 and requested_review_at is not null', [
      author.id,
    ])
    return asked.length > 0
  }
  const rise = 'insert into status_trends (status_id, score) values ($1, 5)'
  await sql(server, rise, [id])
  assert.equal(await isAskedAfterRun(), true)
  assert.equal(await isAskedAfterRun(), true, 'still trends')
  await sql(server, 'delete from status_trends')
  assert.equal(await isAskedAfterRun(), false, 'expired')
  await sql(server, rise, [id])
  assert.equal(await isAskedAfterRun(), true, 'again')
})

test('moderators are not asked about items while trends are off', async t => {
  const { server, ctl } = await openPlace(t, { trends: false })
  const people = await crowd(server, 6)
  await person(server, 'moderator', { roleId: 2 })
  await share(server, await addCard(server, 'https://paper.example/off'), people)
  await ctl('trends', 'refresh')
  await sql(server, `select graphile_worker.add_job('trends.request_reviews')`)
  const left = `select from graphile_worker.jobs where task_identifier = 'trends.request_reviews'`
  await becomes(async () => (await sql(server, left)).length, 0, 'the job has ended')
  assert.deepEqual(await sql(server, 'select domain from link_publishers where requested_review_at is not null'), [])
})

test('the score of a link is halved every eight hours', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const card = await addCard(server, 'https://paper.example/halved')
  await share(server, card, await crowd(server, 6))
  await ctl('trends', 'refresh')
  const score = async (): Promise<number> =>
    Number((await sql(server, 'select score from link_trends where preview_card_id = $1', [card]))[0]?.['score'])
  const first = await score()
  assert.ok(first > 0)
  await sql(server, `update link_trends set peaked_at = peaked_at - interval '8 hours'`)
  await ctl('trends', 'refresh')
  assert.ok(Math.abs((await score()) / first - 0.5) < 0.01)
})
