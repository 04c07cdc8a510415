-- unfavourite: removes favourites of viewers, one status each; a boost stands for the boosted
-- status. Works as long as the favourite exists, even when the status is no longer visible. Removes
-- the notification too. The caller notifies the readers of the log.
-- $1 viewers bigint[]
-- $2 statuses bigint[]
-- rows: one for each pair, with its place among the given ones (from 1); none when there is no such
--   status, or it is neither favourited nor visible
-- plan: no sequential scan
with input as materialized (
  select g.viewer, g.status, g.place, (select set_config('millrace.defer_notify', 'on', true)) as defer_notify
  from unnest((select $1::bigint[]), (select $2::bigint[])) with ordinality g (viewer, status, place)
), target as materialized (
  select g.place, g.viewer, o.id, o.account_id
  from input g
  join statuses s on s.id = g.status
  join statuses o on o.id = coalesce(s.reblog_of_id, s.id)
), deleted as (
  delete from favourites f using target where f.account_id = target.viewer and f.status_id = target.id
  returning f.id, f.account_id, f.status_id, target.account_id as author
), counted as (
  update status_stats c set favourites_count = greatest(c.favourites_count - lost.favourites, 0)
  from (select deleted.status_id, count(*) as favourites from deleted group by deleted.status_id) lost
  where c.status_id = lost.status_id
), muted_rows as (
  delete from notifications n using deleted
  where n.account_id = deleted.author and n.type = 'favourite' and n.from_account_id = deleted.account_id
    and n.activity_id = deleted.id
  returning n.account_id, n.from_account_id, n.status_id
), logged as (
  insert into events (kind, actor_id, status_id, account_id, data)
  select 'status.counted', deleted.account_id, deleted.status_id, null::bigint, '{}'::jsonb from deleted
  union all
  select 'notifications.changed', m.from_account_id, m.status_id, m.account_id, '{"change": "withdrawn"}' from muted_rows m
  returning actor_id, status_id, event_json(events) as event
)
select
  target.place::integer as place,
  target.id,
  (
    select jsonb_agg(logged.event) from logged where logged.actor_id = target.viewer and logged.status_id = target.id
  ) as events
from target
where exists (select from deleted where deleted.account_id = target.viewer and deleted.status_id = target.id)
  or exists (select from visible_statuses(target.viewer) s where s.id = target.id)
