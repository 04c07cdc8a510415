-- end: marks an expired poll as ended, and notifies its author. Has no effect when repeated, so
-- that an interrupted job can run again.
-- $1 poll bigint
-- rows: one, or none when the poll no longer exists or has not expired
-- plan: no sequential scan
with ended as (
  update polls p set ended_at = coalesce(p.ended_at, now())
  from statuses s
  where p.id = $1 and p.expires_at <= now() and s.id = p.status_id and s.deleted_at is null
  returning p.id, s.id as status_id, s.account_id
), logged as (
  insert into events (kind, actor_id, status_id, object_id) select 'status.counted', ended.account_id, ended.status_id, ended.id from ended
  returning event_json(events) as event
), notified as materialized (
  select notify(ended.account_id, ended.account_id, 'poll', ended.status_id, ended.id) as event from ended
)
select
  ended.id,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select notified.event from notified where notified.event is not null
    ) every
  ) as events
from ended
