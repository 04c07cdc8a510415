import pg from 'pg'
import type { TestServer } from '../../support/server.ts'

/** Far from UTC, so that a counter that used the session's time zone would be seen. */
const TIME_ZONE = 'Pacific/Kiritimati'
const SEED = 0.4711

/** A moment of the last three weeks; a third of them within an hour of midnight (UTC). */
const AT = `(case when random() < 0.33
  then (date_trunc('day', now(), 'UTC') - floor(random() * 20) * interval '1 day') + (random() - 0.5) * interval '2 hours' - interval '1 hour'
  else now() - random() * interval '20 days' end)`
const DOMAIN = `(array['far.example', 'sub.far.example', 'odd.example'])[1 + floor(random() * 3)::integer]`
const any = (table: string): string => `(select r.id from ${table} r where x.n is not null order by random() limit 1)`
const LANGUAGE = `(array['en', 'de', null])[1 + floor(random() * 3)::integer]`

/** What happened: people, remote accounts, statuses, interactions, reports, files, hashtags. */
const HISTORY = [
  `insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
   select name, '{}', '{}', name || n, '\\x00' from (values ('Tusk', 1), ('Tusk', 2), ('Pager', 3)) x (name, n)`,
  `insert into accounts (id, username, domain, uri)
   select snowflake_at(${AT}), 'remote' || n, ${DOMAIN}, 'https://far.example/' || n from generate_series(1, 30) n`,
  `with people as (
     insert into accounts (username) select 'local' || n from generate_series(1, 40) n returning id, username
   )
   insert into users (account_id, email, password_hash, confirmed_at, created_at, current_sign_in_at, locale, created_by_application_id)
   select
     x.id, x.username || '@example.com', '-', now(), ${AT},
     case when random() < 0.8 then ${AT} end, (array['en', 'de', 'fr', null])[1 + floor(random() * 4)::integer],
     case when random() < 0.6 then (select a.id from applications a where x.id > 0 order by random() limit 1) end
   from people x`,
  `insert into statuses (id, account_id, local, visibility, text, language, uri)
   select s.id, s.account_id, a.domain is null, s.visibility, 'x', s.language, case when a.domain is not null then 'https://far.example/s/' || s.id end
   from (
     select snowflake_at(${AT}) as id, ${any('accounts')} as account_id, ${LANGUAGE} as language,
       case when random() < 0.8 then 'public' else 'private' end::visibility as visibility
     from generate_series(1, 300) x (n)
   ) s join accounts a on a.id = s.account_id`,
  `insert into statuses (id, account_id, local, visibility, text, in_reply_to_id, in_reply_to_account_id, language)
   select snowflake_at(${AT}), w.id, w.domain is null, 'public', 'x', s.id, s.account_id, ${LANGUAGE}
   from (select ${any('accounts')} as author, ${any('statuses')} as answered from generate_series(1, 120) x (n)) g
   join accounts w on w.id = g.author join statuses s on s.id = g.answered`,
  `insert into statuses (id, account_id, local, visibility, reblog_of_id)
   select snowflake_at(${AT}), w.id, w.domain is null, 'public', g.boosted
   from (
     select distinct on (g.author, g.boosted) g.*
     from (select ${any('accounts')} as author, ${any('statuses')} as boosted from generate_series(1, 80) x (n)) g
   ) g join accounts w on w.id = g.author`,
  `insert into favourites (account_id, status_id, created_at)
   select ${any('accounts')}, ${any('statuses')}, ${AT} from generate_series(1, 200) x (n) on conflict do nothing`,
  `insert into follows (account_id, target_account_id, created_at)
   select ${any('accounts')}, ${any('accounts')}, ${AT} from generate_series(1, 200) x (n) on conflict do nothing`,
  `insert into polls (status_id, options, tallies, multiple, hide_totals)
   select s.id, '{a,b,c}', '{0,0,0}', true, false from statuses s where s.reblog_of_id is null limit 6`,
  `insert into reports (account_id, target_account_id, created_at, action_taken_at)
   select ${any('accounts')}, ${any('accounts')}, ${AT}, case when random() < 0.5 then ${AT} end from generate_series(1, 60) x (n)`,
  `insert into media_attachments (id, account_id, type, file_bytes, preview_bytes)
   select snowflake_at(${AT}), ${any('accounts')}, 'image', floor(random() * 1e7), floor(random() * 1e5)
   from generate_series(1, 80) x (n)`,
  `insert into tags (name, display_name) values ('river', 'River'), ('sea', 'Sea')`,
  `insert into status_tags (tag_id, status_id)
   select t.id, s.id from tags t join statuses s on s.reblog_of_id is null where random() < 0.5`,
]

const OLDEST = `select id from accounts where username like 'local%' order by id limit 3`

/** What was undone later. */
const UNDONE = [
  `update statuses set deleted_at = now() where id in (select id from statuses order by random() limit 60)`,
  `update statuses set language = 'pl' where id in (select id from statuses where reblog_of_id is null order by random() limit 40)`,
  `delete from statuses where id in (select id from statuses order by random() limit 40)`,
  `delete from follows where random() < 0.3`,
  `update reports set action_taken_at = null where random() < 0.2`,
  `update reports set action_taken_at = now() where action_taken_at is null and random() < 0.5`,
  `delete from reports where random() < 0.1`,
  `update media_attachments set file_bytes = 0, preview_bytes = 0 where random() < 0.2`,
  `delete from media_attachments where random() < 0.2`,
  `update users set current_sign_in_at = now() where random() < 0.3`,
  `update users set locale = 'it' where random() < 0.2`,
  `delete from users where email like 'local%' and random() < 0.2`,
  `delete from applications where name = 'Pager'`,
  `delete from accounts where id in (select id from accounts where domain is not null order by random() limit 5)`,
  `update accounts set silenced_at = now() where id in (select id from accounts order by random() limit 20)`,
  `update statuses set deleted_at = null where deleted_at is not null and random() < 0.4`,
  `delete from status_tags where random() < 0.15`,
  `insert into status_tags (tag_id, status_id)
   select t.id, s.id from tags t join statuses s on s.reblog_of_id is null where random() < 0.2 on conflict do nothing`,
  `update accounts set silenced_at = null where silenced_at is not null and random() < 0.5`,
  // As a deletion does: what it follows first.
  `delete from follows where account_id in (${OLDEST}) or target_account_id in (${OLDEST})`,
  `delete from accounts where id in (${OLDEST})`,
]

async function inSession(server: TestServer, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    await client.query(`set time zone '${TIME_ZONE}'`)
    await client.query(`select setseed(${SEED})`)
    await work(client)
  } finally {
    await client.end()
  }
}

/** The days on which users were active, and ballots, one after the other as they happen. */
async function happenOneByOne(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ day: string; user_id: string }>(
    `select ((now() at time zone 'UTC')::date - n)::text as day, u.id::text as user_id
     from users u cross join generate_series(0, 20) n where random() < 0.25 order by random()`,
  )
  for (const { day, user_id: user } of rows) {
    await client.query('insert into active_days (day, user_id) values ($1, $2) on conflict do nothing', [day, user])
  }
  for (let ballot = 0; ballot < 25; ballot += 1) {
    await client.query(
      `insert into poll_votes (poll_id, account_id, choice, created_at)
       select b.poll, b.voter, choice, b.at
       from (select ${any('polls')} as poll, ${any('accounts')} as voter, ${AT} as at from (values (1)) x (n)) b
       cross join generate_series(0, $1::integer) choice
       where not exists (select from poll_votes v where v.poll_id = b.poll and v.account_id = b.voter)`,
      [ballot % 3],
    )
  }
}

/** Fills a server with three weeks of random history. */
export const writeHistory = (server: TestServer): Promise<void> =>
  inSession(server, async client => {
    for (const statement of HISTORY) await client.query(statement)
    await happenOneByOne(client)
  })

/** Undoes some of it. */
export const undoSome = (server: TestServer): Promise<void> =>
  inSession(server, async client => {
    for (const statement of UNDONE) await client.query(statement)
  })
