-- status_counters: compares the counters of a batch of local statuses with a recount, and corrects
-- them on request, by the difference: what happens meanwhile stays counted.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.local and s.deleted_at is null and s.reblog_of_id is null as is_counted
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), compared as materialized (
  select
    batch.id,
    coalesce(c.replies_count, 0) as replies_count,
    coalesce(c.reblogs_count, 0) as reblogs_count,
    coalesce(c.favourites_count, 0) as favourites_count,
    coalesce(c.quotes_count, 0) as quotes_count,
    (
      select count(*) from statuses r
      where r.in_reply_to_id = batch.id and r.deleted_at is null and r.visibility in ('public', 'unlisted')
    )::integer as replies,
    (select count(*) from statuses b where b.reblog_of_id = batch.id and b.deleted_at is null)::integer as reblogs,
    (select count(*) from favourites f where f.status_id = batch.id)::integer as favourites,
    (select count(*) from quotes q where q.quoted_status_id = batch.id and q.state = 'accepted')::integer as quotes
  from batch
  left join status_stats c on c.status_id = batch.id
  where batch.is_counted
), wrong as materialized (
  select compared.*
  from compared
  where (compared.replies_count, compared.reblogs_count, compared.favourites_count, compared.quotes_count)
    <> (compared.replies, compared.reblogs, compared.favourites, compared.quotes)
), fixed as (
  insert into status_stats as c (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
  select
    wrong.id, wrong.replies - wrong.replies_count, wrong.reblogs - wrong.reblogs_count,
    wrong.favourites - wrong.favourites_count, wrong.quotes - wrong.quotes_count
  from wrong
  where $2
  order by wrong.id
  on conflict (status_id) do update
  set replies_count = c.replies_count + excluded.replies_count, reblogs_count = c.reblogs_count + excluded.reblogs_count,
    favourites_count = c.favourites_count + excluded.favourites_count, quotes_count = c.quotes_count + excluded.quotes_count
  returning c.status_id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.status_id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', concat_ws(
      ', ',
      case when wrong.replies_count <> wrong.replies
        then format('replies_count is %s, counted %s', wrong.replies_count, wrong.replies) end,
      case when wrong.reblogs_count <> wrong.reblogs
        then format('reblogs_count is %s, counted %s', wrong.reblogs_count, wrong.reblogs) end,
      case when wrong.favourites_count <> wrong.favourites
        then format('favourites_count is %s, counted %s', wrong.favourites_count, wrong.favourites) end,
      case when wrong.quotes_count <> wrong.quotes
        then format('quotes_count is %s, counted %s', wrong.quotes_count, wrong.quotes) end
    )) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
