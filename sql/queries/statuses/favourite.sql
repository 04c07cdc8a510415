-- favourite: the viewer likes a status that they may see; of a boost, what it boosts. A second time changes nothing.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when it is not visible, else one; blocked: the viewer blocks the author, and nothing was done
-- plan: no sequential scan
with seen as materialized (
  select
    o.id,
    o.account_id,
    exists (select from blocks b where b.account_id = $1 and b.target_account_id = o.account_id) as blocked
  from visible_statuses($1) s
  join visible_statuses($1) o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), liked as (
  insert into favourites (account_id, status_id) select $1, seen.id from seen where not seen.blocked
  on conflict do nothing
  returning favourites.id, favourites.status_id
), counted as (
  insert into status_stats as c (status_id, favourites_count) select liked.status_id, 1 from liked
  on conflict (status_id) do update set favourites_count = c.favourites_count + 1
), told as (
  insert into events (kind, actor_id, status_id) select 'status.counted', $1, liked.status_id from liked
  returning event_json(events) as event
), notified as materialized (
  select notify(seen.account_id, $1, 'favourite', seen.id, liked.id) as event from liked cross join seen
)
select
  seen.id,
  seen.blocked,
  (
    select jsonb_agg(every.event)
    from (
      select told.event from told
      union all
      select notified.event from notified where notified.event is not null
    ) every
  ) as events
from seen
