-- reblog: the viewer boosts a status, or the boosted one of a boost. Returns the existing boost
-- when repeated.
-- Of two simultaneous requests the second waits, stores nothing, and does not see the first: then
-- id is null, and the caller tries again. A deletion of the boosted status is waited for, with the
-- same result, and it waits for the boost.
-- $1 viewer bigint
-- $2 status bigint
-- $3 visibility visibility
-- rows: none when it is not visible, else one; allowed: whether the viewer may boost it;
--   lacks_visibility: a new boost needs $3, which is null
-- plan: no sequential scan
with visible as materialized (
  select
    o.id,
    o.account_id,
    o.visibility,
    (o.visibility in ('public', 'unlisted') or (o.visibility = 'private' and o.account_id = $1))
      and not exists (select from blocks b where b.account_id = $1 and b.target_account_id = o.account_id) as allowed
  from visible_statuses($1) s
  join visible_statuses($1) o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), present as materialized (
  select o.id
  from statuses o
  where o.id = (select visible.id from visible where visible.allowed) and o.deleted_at is null
  for share
), boosted as (
  insert into statuses (account_id, visibility, reblog_of_id)
  select $1, case when visible.visibility = 'private' then visible.visibility else $3::visibility end, visible.id
  from visible
  join present on present.id = visible.id
  where visible.visibility = 'private' or $3 is not null
  on conflict (account_id, reblog_of_id) where reblog_of_id is not null and deleted_at is null do nothing
  returning statuses.id, statuses.reblog_of_id, statuses as row
), counted as (
  insert into status_stats as c (status_id, reblogs_count) select boosted.reblog_of_id, 1 from boosted
  on conflict (status_id) do update set reblogs_count = c.reblogs_count + 1
), author_counted as (
  insert into account_stats as c (account_id, statuses_count, last_status_at) select $1, 1, now() from boosted
  on conflict (account_id) do update set statuses_count = c.statuses_count + 1, last_status_at = greatest(c.last_status_at, excluded.last_status_at)
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.created', $1, boosted.id, status_facts(boosted.row, '{}', '{}', '{}') from boosted
  union all
  select 'status.counted', $1, boosted.reblog_of_id, '{}' from boosted
  returning event_json(events) as event
), notified as materialized (
  select notify(visible.account_id, $1, 'reblog', visible.id, boosted.id) as event from boosted cross join visible
)
select
  coalesce(
    (select boosted.id from boosted),
    (select b.id from statuses b where b.account_id = $1 and b.reblog_of_id = visible.id and b.deleted_at is null)
  ) as id,
  visible.allowed,
  visible.visibility <> 'private' and $3 is null as lacks_visibility,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select notified.event from notified where notified.event is not null
    ) every
  ) as events
from visible
