-- announce: an account of another server boosts a status that is listed, or its own. Has no effect
-- when it has boosted it before, or the boost was undone. Sends nothing to other servers. The
-- caller notifies the readers of the log.
-- $1 actor bigint
-- $2 status bigint
-- $3 uri text
-- $4 visibility visibility
-- $5 published timestamptz
-- $6 notified boolean
-- rows: one when it was stored
-- plan: no sequential scan
with original as materialized (
  select
    o.id, o.account_id, o.visibility,
    (select set_config('millrace.receiving', 'on', true)) as receiving,
    (select set_config('millrace.defer_notify', 'on', true)) as defer_notify
  from visible_statuses($1) o
  where o.id = $2 and o.reblog_of_id is null
    and (o.visibility in ('public', 'unlisted') or (o.visibility = 'private' and o.account_id = $1))
    and not exists (select from tombstones t where t.uri = $3 and t.created_at > now() - interval '6 hours')
), boosted as (
  insert into statuses (id, account_id, local, uri, visibility, reblog_of_id, created_at)
  select
    snowflake_at(least($5::timestamptz, now())), $1, false, $3,
    case when original.visibility = 'private' then original.visibility else $4::visibility end, original.id,
    least($5, now())
  from original
  on conflict do nothing
  returning statuses.id, statuses.reblog_of_id, statuses as row
), counted as (
  insert into status_stats as c (status_id, reblogs_count) select boosted.reblog_of_id, 1 from boosted
  on conflict (status_id) do update set reblogs_count = c.reblogs_count + 1
), author_counted as (
  insert into account_stats as c (account_id, statuses_count, last_status_at) select $1, 1, least($5, now()) from boosted
  on conflict (account_id) do update
    set statuses_count = c.statuses_count + 1, last_status_at = greatest(c.last_status_at, excluded.last_status_at)
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.created', $1, boosted.id, status_facts(boosted.row, '{}', '{}', '{}') from boosted
  union all
  select 'status.counted', $1, boosted.reblog_of_id, '{}' from boosted
  returning event_json(events) as event
), notified as materialized (
  select notify(original.account_id, $1, 'reblog', original.id, boosted.id) as event
  from boosted cross join original
  where $6::boolean
)
select boosted.id, (
  select jsonb_agg(every.event)
  from (
    select logged.event from logged
    union all
    select notified.event from notified where notified.event is not null
  ) every
) as events
from boosted
