-- favourites: removes up to 1000 favourites of an account, and updates the counters.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
with deleted as (
  delete from favourites f
  where f.id in (select old.id from favourites old where old.account_id = $1 order by old.id desc limit 1000)
  returning f.status_id
), uncounted as (
  update status_stats c set favourites_count = greatest(0, c.favourites_count - 1)
  from deleted where c.status_id = deleted.status_id
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id)
  select 'status.counted', $1, uncounted.status_id from uncounted
  returning event_json(events) as event
)
select (select count(*) from deleted)::integer as removed, (select jsonb_agg(logged.event) from logged) as events
