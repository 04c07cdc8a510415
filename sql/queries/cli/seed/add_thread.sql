-- add_thread: a public status with many replies, one a second; two fifths answer the first, the
-- others one of the earlier replies.
-- $1 authors bigint[]
-- $2 replies integer
-- rows: one, the first status
-- plan: rows are inserted, none are read
with numbers as materialized (
  select
    g.number,
    snowflake_at(now() - ($2::integer + 60 - g.number) * interval '1 second') as id,
    ($1::bigint[])[1 + g.number * 7 % cardinality($1::bigint[])] as author,
    -- Golden ratio: an even distribution, and the same each time.
    case when g.number = 0 then null when g.number % 5 < 2 then 0 else floor(mod(g.number * 0.6180339887, 1) * g.number)::integer end as parent
  from generate_series(0, $2::integer) g (number)
), started as (
  insert into conversations (id) select n.id from numbers n where n.number = 0
), written as (
  insert into statuses (
    id, account_id, text, content, visibility, language, in_reply_to_id, in_reply_to_account_id, conversation_id, created_at
  )
  select
    n.id, n.author, 'Answer ' || n.number || ' of a long talk', '<p>Answer ' || n.number || ' of a long talk</p>', 'public', 'en',
    p.id, p.author, (select r.id from numbers r where r.number = 0), to_timestamp((n.id >> 16) / 1000.0)
  from numbers n
  left join numbers p on p.number = n.parent
), counted as (
  insert into status_stats (status_id, replies_count)
  select p.id, count(*) from numbers n join numbers p on p.number = n.parent group by p.id
), counted_authors as (
  insert into account_stats as s (account_id, statuses_count, last_status_at)
  select n.author, count(*), max(to_timestamp((n.id >> 16) / 1000.0)) from numbers n group by n.author
  on conflict (account_id) do update
  set statuses_count = s.statuses_count + excluded.statuses_count, last_status_at = greatest(s.last_status_at, excluded.last_status_at)
)
select n.id from numbers n where n.number = 0
