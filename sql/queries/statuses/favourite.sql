-- favourite: viewers favourite statuses that they may see, one status each; a boost stands for the
-- boosted status. Has no effect when it is favourited already. Simultaneous favourites of a popular
-- status wait for its counter once and share a commit. The caller notifies the readers of the log.
-- $1 viewers bigint[]
-- $2 statuses bigint[]
-- $3 uris text[]: those of other servers, empty for none
-- rows: one for each pair with a visible status, with its place among the given pairs (from 1);
--   blocked: the viewer blocks the author, and nothing was done; named: stored with its URI
-- plan: no sequential scan
with input as materialized (
  select g.viewer, g.status, nullif(g.uri, '') as uri, g.place, (select set_config('millrace.defer_notify', 'on', true)) as defer_notify
  from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::text[])) with ordinality g (viewer, status, uri, place)
), visible as materialized (
  select
    g.place,
    g.viewer,
    g.uri,
    o.id,
    o.account_id,
    exists (select from blocks b where b.account_id = g.viewer and b.target_account_id = o.account_id) as blocked
  from input g
  cross join lateral (
    select o.id, o.account_id
    from visible_statuses(g.viewer) s
    join visible_statuses(g.viewer) o on o.id = coalesce(s.reblog_of_id, s.id)
    where s.id = g.status
  ) o
), favourited as (
  insert into favourites (account_id, status_id, uri)
  select
    visible.viewer, visible.id,
    case when visible.uri is not null and not exists (select from favourites o where o.uri = visible.uri) then visible.uri end
  from visible where not visible.blocked order by visible.id, visible.viewer
  on conflict do nothing
  returning favourites.id, favourites.account_id, favourites.status_id, favourites.uri
), counted as (
  insert into status_stats as c (status_id, favourites_count)
  select favourited.status_id, count(*) from favourited group by favourited.status_id order by favourited.status_id
  on conflict (status_id) do update set favourites_count = c.favourites_count + excluded.favourites_count
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.counted', favourited.account_id, favourited.status_id from favourited
  returning actor_id, status_id, event_json(events) as event
), notified as materialized (
  select
    favourited.account_id,
    favourited.status_id,
    notify((select visible.account_id from visible where visible.id = favourited.status_id limit 1), favourited.account_id, 'favourite', favourited.status_id, favourited.id)
      as event
  from favourited
)
select
  visible.place::integer as place,
  visible.id,
  visible.blocked,
  visible.uri is not null and exists (select from favourited f where f.uri = visible.uri) as named,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged where logged.actor_id = visible.viewer and logged.status_id = visible.id
      union all
      select notified.event
      from notified
      where notified.account_id = visible.viewer and notified.status_id = visible.id and notified.event is not null
    ) every
  ) as events
from visible
