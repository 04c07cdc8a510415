import { randomBytes } from 'node:crypto'
import { sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Private data and announcements that the API cannot create, or not yet. */
export interface Reading {
  readonly filter: string
  readonly keyword: string
  /** Id of a status in the filter. */
  readonly entry: string
}

async function makeFilter(server: TestServer, alice: Person, status: string): Promise<Reading> {
  const [made] = await sql(
    server,
    `with f as (
       insert into filters (account_id, title, contexts) values ($1, 'Tapirs', '{home}') returning id
     ), k as (
       insert into filter_keywords (filter_id, keyword) select f.id, 'okapi' from f returning id
     ), s as (
       insert into filter_statuses (filter_id, status_id) select f.id, $2 from f returning id
     )
     select f.id::text as filter, k.id::text as keyword, s.id::text as entry from f cross join k cross join s`,
    [alice.id, status],
  )
  return { filter: String(made?.['filter']), keyword: String(made?.['keyword']), entry: String(made?.['entry']) }
}

const tell = (server: TestServer): Promise<unknown> =>
  sql(
    server,
    `with emoji as (
       insert into custom_emojis (shortcode, image, category)
       values ($1, '{"key": "a.gif", "static_key": "a.png", "type": "image/gif"}', 'Animals') returning id
     ), announcement as (
       insert into announcements (text, content, published, published_at)
       values (':' || $1 || ': for #everybody', '<p>for #everybody</p>', true, now()) returning id
     )
     insert into announcement_reactions (account_id, announcement_id, name, custom_emoji_id)
     select a.id, announcement.id, $1, emoji.id from announcement cross join emoji cross join (select id from accounts limit 1) a`,
    [`tapir_${randomBytes(4).toString('hex')}`],
  )

/** The keys are the generator of P-256 and 16 zeros. */
const subscribe = (alice: Person): Promise<unknown> =>
  alice.post('/api/v1/push/subscription', {
    subscription: {
      endpoint: 'https://push.example/1',
      keys: {
        p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
      },
    },
    data: { alerts: { mention: true } },
  })

/** An event may wait for a transaction in another database of the cluster. */
const LATEST_MS = 30_000

/** The server loads the setting when its event arrives. */
async function recommend(server: TestServer, alice: Person, chosen: Person): Promise<void> {
  await sql(
    server,
    `with changed as (
       insert into settings (key, value) values ('bootstrap_timeline_accounts', jsonb_build_array($1::text))
       on conflict (key) do update set value = excluded.value
       returning key
     ), shown as (
       update accounts set discoverable = true where username = $1
     )
     insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', changed.key) from changed`,
    [chosen.username],
  )
  const until = performance.now() + LATEST_MS
  while (performance.now() < until) if ((await alice.get('/api/v1/suggestions')).text !== '[]') return
  throw new Error('the setting has not reached the server')
}

/** Adds this data to alice's world. */
export async function makeReading(
  server: TestServer,
  alice: Person,
  stranger: Person,
  status: string,
): Promise<Reading> {
  await tell(server)
  await subscribe(alice)
  await recommend(server, alice, stranger)
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'spam.example')`, [alice.id])
  await alice.postStatus('#slow #quiet')
  await alice.postStatus('#slow')
  for (const act of ['follow', 'feature']) await alice.post(`/api/v1/tags/quiet/${act}`)
  return makeFilter(server, alice, status)
}
