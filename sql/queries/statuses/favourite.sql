-- favourite: viewers like statuses that they may see, each pair one; of a boost, what it boosts. A second time changes nothing. What many
-- people like at once waits for its counter once, and is one commit. The caller tells the readers of the log.
-- $1 viewers bigint[]
-- $2 statuses bigint[]
-- rows: one for each pair whose status is visible, with its place among those given (from 1); blocked: the viewer blocks the author, and
-- nothing was done
-- plan: no sequential scan
with asked as materialized (
  select g.viewer, g.status, g.place, (select set_config('millrace.defer_notify', 'on', true)) as defer_notify
  from unnest((select $1::bigint[]), (select $2::bigint[])) with ordinality g (viewer, status, place)
), seen as materialized (
  select
    g.place,
    g.viewer,
    o.id,
    o.account_id,
    exists (select from blocks b where b.account_id = g.viewer and b.target_account_id = o.account_id) as blocked
  from asked g
  cross join lateral (
    select o.id, o.account_id
    from visible_statuses(g.viewer) s
    join visible_statuses(g.viewer) o on o.id = coalesce(s.reblog_of_id, s.id)
    where s.id = g.status
  ) o
), liked as (
  insert into favourites (account_id, status_id)
  select seen.viewer, seen.id from seen where not seen.blocked order by seen.id, seen.viewer
  on conflict do nothing
  returning favourites.id, favourites.account_id, favourites.status_id
), counted as (
  insert into status_stats as c (status_id, favourites_count)
  select liked.status_id, count(*) from liked group by liked.status_id order by liked.status_id
  on conflict (status_id) do update set favourites_count = c.favourites_count + excluded.favourites_count
), told as (
  insert into events (kind, actor_id, status_id) select 'status.counted', liked.account_id, liked.status_id from liked
  returning actor_id, status_id, event_json(events) as event
), notified as materialized (
  select
    liked.account_id,
    liked.status_id,
    notify((select seen.account_id from seen where seen.id = liked.status_id limit 1), liked.account_id, 'favourite', liked.status_id, liked.id)
      as event
  from liked
)
select
  seen.place::integer as place,
  seen.id,
  seen.blocked,
  (
    select jsonb_agg(every.event)
    from (
      select told.event from told where told.actor_id = seen.viewer and told.status_id = seen.id
      union all
      select notified.event
      from notified
      where notified.account_id = seen.viewer and notified.status_id = seen.id and notified.event is not null
    ) every
  ) as events
from seen
