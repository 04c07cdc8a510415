-- recount_statuses: recounts the replies, boosts and favourites of a batch of statuses.
-- $1 after bigint
-- rows: one; last: the last status of the batch, null when there are no more
-- plan: no sequential scan
with batch as materialized (
  select s.id from statuses s where s.id > $1 order by s.id limit 1000
), counted as materialized (
  select
    batch.id,
    (
      select count(*) from statuses r
      where r.in_reply_to_id = batch.id and r.deleted_at is null and r.visibility in ('public', 'unlisted')
    ) as replies,
    (select count(*) from statuses b where b.reblog_of_id = batch.id and b.deleted_at is null) as reblogs,
    (select count(*) from favourites f where f.status_id = batch.id) as favourites
  from batch
), corrected as (
  insert into status_stats as c (status_id, replies_count, reblogs_count, favourites_count)
  select counted.id, counted.replies, counted.reblogs, counted.favourites
  from counted
  left join status_stats old on old.status_id = counted.id
  where (coalesce(old.replies_count, 0), coalesce(old.reblogs_count, 0), coalesce(old.favourites_count, 0))
    <> (counted.replies, counted.reblogs, counted.favourites)
  on conflict (status_id) do update
  set replies_count = excluded.replies_count, reblogs_count = excluded.reblogs_count,
    favourites_count = excluded.favourites_count
  returning c.status_id
), logged as (
  insert into events (kind, status_id) select 'status.counted', corrected.status_id from corrected
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as recounted,
  (select jsonb_agg(logged.event) from logged) as events
