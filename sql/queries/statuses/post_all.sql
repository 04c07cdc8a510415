-- post_all: as statuses/post, for several statuses that answer nobody. The caller notifies the
-- readers of the log.
-- Statuses that are plain text are stored together, with or without mentions and up to a hundred
-- followers who want to be notified: PostgreSQL's preparation of a statement, mainly for the
-- indexes of statuses and notifications, is as much work as storing one of them (0.3 ms of CPU each
-- one by one, 0.2 when they are eight; with three mentions 2.8 and 1.8, with a follower or two to
-- notify 2.1 and 1.3, of batches of four). The others are stored by post_status.
-- Two processes lock the counters of authors in the same order and cannot deadlock: that of the
-- authors, and before anything else when only some of the posts are plain. The counter of the day
-- is written before post_status changes the same row: PostgreSQL refuses a command that meets a row
-- which has changed since its start. Two with the same key are an error, after which the caller
-- stores them one by one.
-- $1 posts jsonb
-- rows: one for each stored status, with its place among the given ones (from 1), and as
--   statuses/post
-- plan: no sequential scan
with given as materialized (
  select
    g.*, snowflake() as id, snowflake() as conversation_id,
    (select set_config('millrace.defer_notify', 'on', true)) as defer_notify,
    (select set_config('millrace.counted', 'on', true)) as counted,
    g.tags = '{}' and g.media = '{}' and g.collections = '{}' and not g.has_link and notified.followers <= 100 as plain,
    notified.followers > 0 as notifies
  from
    rows from (
      jsonb_to_recordset($1) as (
        author bigint, text text, content text, spoiler_text text, visibility visibility, sensitive boolean, language text,
        application bigint, quote_policy text, mentioned bigint[], tags bigint[], tag_names text[], media bigint[],
        idempotency_key text, has_link boolean, collections bigint[]
      )
    ) with ordinality as g (
      author, text, content, spoiler_text, visibility, sensitive, language,
      application, quote_policy, mentioned, tags, tag_names, media,
      idempotency_key, has_link, collections, place
    )
  cross join lateral (
    select count(*) as followers
    from (select from follows f where f.target_account_id = g.author and f.notify limit 101) wanting
  ) notified
  order by g.author, g.place
), locked as materialized (
  select c.account_id from account_stats c
  where c.account_id in (select g.author from given g) and (select bool_or(g.plain) and not bool_and(g.plain) from given g)
  order by c.account_id
  for no key update
), keys as (
  insert into idempotency_keys as k (account_id, key, status_id)
  select g.author, g.idempotency_key, g.id from given g where g.plain and g.idempotency_key is not null
  on conflict (account_id, key) do update set status_id = excluded.status_id, scheduled_status_id = null, created_at = now()
  where k.created_at < now() - interval '1 hour'
  returning k.status_id
), plain as materialized (
  select g.* from given g
  where g.plain and (g.idempotency_key is null or g.id in (select keys.status_id from keys))
), threads as (
  insert into conversations (id) select p.conversation_id from plain p
), posted as (
  insert into statuses as s (
    id, account_id, text, content, spoiler_text, visibility, sensitive, language, conversation_id, application_id,
    quote_approval_policy
  )
  select
    p.id, p.author, p.text, p.content, p.spoiler_text, p.visibility, p.sensitive, p.language, p.conversation_id, p.application,
    p.quote_policy
  from plain p
  returning s.id, s.created_at
), counted as (
  insert into account_stats as c (account_id, statuses_count, last_status_at)
  select p.author, count(*), clock_timestamp()
  from plain p
  where (select count(*) from locked) >= 0
  group by p.author
  order by p.author
  on conflict (account_id) do update
    set statuses_count = c.statuses_count + excluded.statuses_count,
      last_status_at = greatest(clock_timestamp(), c.last_status_at + interval '1 microsecond')
  returning c.account_id, c.statuses_count, c.last_status_at
), logged_event as (
  insert into events as logged (kind, actor_id, status_id, data)
  select
    'status.created', p.author, p.id,
    new_status_facts(
      a.silenced_at is not null, p.visibility, p.language, null, null, p.conversation_id, p.mentioned, '{}', '{}',
      c.statuses_count, c.last_status_at
    )
  from plain p
  join accounts a on a.id = p.author
  join counted c on c.account_id = p.author
  order by p.place
  returning logged.status_id, event_json(logged) as event
), named as (
  insert into mentions as m (status_id, account_id)
  select p.id, n.account_id
  from plain p
  cross join lateral unnest(p.mentioned) with ordinality n (account_id, place)
  order by p.place, n.place
  returning m.id, m.status_id, m.account_id
), notified as materialized (
  select
    notify_all(
      array_agg(n.account_id order by n.id), array_agg(p.author order by n.id), 'mention', array_agg(n.status_id order by n.id),
      array_agg(n.id order by n.id)
    ) as events
  from named n
  join plain p on p.id = n.status_id
  where (select count(*) from posted) > 0 and (select count(*) from logged_event) > 0
  having count(*) > 0
), notified_followers as materialized (
  select
    notify_all(
      array_agg(f.account_id order by p.place, f.id), array_agg(p.author order by p.place, f.id), 'status',
      array_agg(p.id order by p.place, f.id), array_agg(p.id order by p.place, f.id)
    ) as events
  from plain p
  join follows f on f.target_account_id = p.author and f.notify
  where p.notifies and wants_post_notification(f, p.language, p.visibility, p.mentioned)
    and (select count(*) from posted) > 0 and (select count(*) from logged_event) > 0 and (select count(*) from notified) >= 0
  having count(*) > 0
), notices as (
  select (n.event ->> 'status_id')::bigint as status_id, jsonb_agg(n.event order by made.part, n.place) as events
  from (select 1 as part, events from notified union all select 2, events from notified_followers) made
  cross join lateral jsonb_array_elements(made.events) with ordinality n (event, place)
  group by 1
), counted_day as (
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'statuses', snowflake_day(p.id), '', '', pg_backend_pid(), count(*) from plain p group by 2
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
  returning c.day
)
select
  stored.place::integer as place, stored.id, stored.created_at, stored.conversation_id, app.name as application_name,
  app.website as application_website, stored.events
from (
  select
    p.place, p.id, posted.created_at, p.conversation_id, p.application,
    jsonb_build_array(logged_event.event) || coalesce(notices.events, '[]') as events
  from plain p
  join posted on posted.id = p.id
  join logged_event on logged_event.status_id = p.id
  left join notices on notices.status_id = p.id
  where (select count(*) from counted_day) > 0
  union all
  select g.place, p.id, p.created_at, p.conversation_id, g.application, p.events
  from given g
  cross join lateral post_status(
    g.author, g.text, g.content, g.spoiler_text, g.visibility, g.sensitive, g.language, null, null, null, g.application,
    g.quote_policy, g.mentioned, g.tags, g.tag_names, g.media, g.idempotency_key, null, g.has_link, g.collections
  ) p
  where not g.plain and (select count(*) from locked) >= 0
) stored
left join applications app on app.id = stored.application
