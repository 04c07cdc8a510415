-- unfavourite: the viewer no longer likes a status; of a boost, what it boosts. Possible as long as the favourite exists, also when
-- the status is no longer visible. Its notification goes with it.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when there is no such status, or neither a favourite nor sight of it
-- plan: no sequential scan
with target as materialized (
  select o.id, o.account_id
  from statuses s
  join statuses o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), undone as (
  delete from favourites f using target where f.account_id = $1 and f.status_id = target.id
  returning f.id, f.status_id
), counted as (
  update status_stats c set favourites_count = greatest(c.favourites_count - 1, 0)
  from undone
  where c.status_id = undone.status_id
), hushed as (
  delete from notifications n using undone, target
  where n.account_id = target.account_id and n.type = 'favourite' and n.from_account_id = $1 and n.activity_id = undone.id
), told as (
  insert into events (kind, actor_id, status_id) select 'status.counted', $1, undone.status_id from undone
  returning event_json(events) as event
)
select target.id, (select jsonb_agg(told.event) from told) as events
from target
where exists (select from undone) or exists (select from visible_statuses($1) s where s.id = target.id)
