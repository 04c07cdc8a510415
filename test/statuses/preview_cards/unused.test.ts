import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeKey } from '../../../src/platform/storage/index.ts'
import { isThere, until } from '../../media/attachments/media_fixtures.ts'
import { waitFor } from '../status_fixtures.ts'
import { people, person, sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { startSite } from './site.ts'

const runNow = async (server: ServerAddress): Promise<void> => {
  const name = 'preview_cards.remove_unused'
  await sql(server, `select graphile_worker.add_job($1, '{}', job_key => $1)`, [name])
  const left = (): Promise<unknown[]> => sql(server, 'select from graphile_worker.jobs where key = $1', [name])
  await until(left, rows => rows.length === 0, 'the job')
}

test('unused preview cards are removed with their pictures, others stay', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('hello')
  const file = makeKey('cards', 'png')
  const make = async (name: string, days: number, more = ''): Promise<void> => {
    await sql(
      server,
      `with k as (
         insert into preview_cards (url, type, title, image_key, fetched_at, trendable)
         values ($1, 'link', 'A page', $3, now() - make_interval(days => $2), $4) returning id, url
       ), shown as (
         insert into preview_cards_statuses (preview_card_id, status_id, url) select k.id, $5, k.url from k where $6 = 'shown'
       )
       insert into link_trends (preview_card_id, peak, peaked_at, score) select k.id, 1, now(), 1 from k where $6 = 'trending'`,
      [`https://page.example/${name}`, days, name === 'old' ? file : null, more === 'decided' ? false : null, id, more],
    )
  }
  await make('old', 20)
  await make('fresh', 10)
  for (const reason of ['shown', 'trending', 'decided']) await make(reason, 20, reason)
  await runNow(server)
  const left = await sql(server, `select url from preview_cards where url like 'https://page.example/%' order by url`)
  assert.deepEqual(
    left.map(({ url }) => String(url).split('/').at(-1)),
    ['decided', 'fresh', 'shown', 'trending'],
  )
  await until(
    () => isThere(`${server.config.publicUrl}/media/${file}`),
    there => !there,
    'the picture to go',
  )
})

test('statuses of other servers get cards from the links of their HTML', async t => {
  const { anonymous, server } = await people(t)
  const site = await startSite(t)
  const page = (path: string): string => site.page(path, `<head><meta property="og:title" content="${path}"></head>`)
  const afar = await person(server, 'afar', {
    account: { domain: 'far.example', uri: 'https://far.example/users/afar' },
  })
  const mentioned = page('/no?mentioned')
  await sql(server, 'update accounts set url = $1 where id = $2', [mentioned, afar.id])
  const card = async (content: string): Promise<string> => {
    const [made] = await sql(
      server,
      `with s as (
         insert into statuses (account_id, content, visibility, local, uri) values ($1, $2, 'public', false, 'https://far.example/' || snowflake())
         returning id
       ), n as (insert into status_stats (status_id) select s.id from s
       ), m as (insert into mentions (status_id, account_id) select s.id, $1 from s)
       select s.id::text from s`,
      [afar.id, content],
    )
    const [added] = await sql(server, 'select enqueue_preview($1)::text as id', [made?.['id']])
    const [job] = await sql(
      server,
      `select j.run_at > now() as later, q.queue_name as queue
       from graphile_worker._private_jobs j
       join graphile_worker._private_job_queues q on q.id = j.job_queue_id
       where j.id = $1`,
      [added?.['id']],
    )
    // Others that it was delivered to ask for the page as well; local previews do not wait for it.
    assert.equal(job?.['later'], true)
    assert.match(String(job['queue']), /^preview_cards:remote:[01]$/)
    await sql(
      server,
      `with due as (select id from graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now()))
       select pg_notify('jobs:insert', '{"count":1}') from due`,
      [added?.['id']],
    )
    return String(made?.['id'])
  }
  const link = (href: string, more = ''): string => `<a href="${href.replaceAll('&', '&amp;')}" ${more}>x</a>`
  const [one, two] = [page('/one'), page('/two?a=1&b=2')]
  const first = await card(
    `<p>${link(page('/no'), 'class="u-url mention"')} ${link(page('/no'), 'class="hashtag"')} ${link(mentioned)} ${link(`${server.config.publicUrl}/about`)} ${link(one)}</p>`,
  )
  const second = await card(`<p>${page('/no')} ${link('mailto:a@example.com')} ${link(two)} ${link(one)}</p>`)
  for (const [id, url] of [
    [first, one],
    [second, two],
  ] as const) {
    const cardOf = async (): Promise<unknown> =>
      ((await anonymous.get(`/api/v1/statuses/${id}`)).json as { card: { url: string } | null }).card?.url
    await waitFor(server, async () => (await cardOf()) === url, `the card of ${url}`)
  }
  assert.ok(!site.asked.some(path => path.endsWith('/no')))
})
