-- set_pins: replaces the pinned statuses of a remote account. Deletions of them are waited for, and
-- they wait for the pins. Statuses are locked before pins, as by a deletion.
-- $1 account bigint
-- $2 statuses bigint[]
-- rows: one; events is null when nothing changed
-- plan: no sequential scan
with present as materialized (
  select s.account_id, s.id
  from statuses s
  where s.id = any ((select $2::bigint[])::bigint[]) and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
    and s.visibility in ('public', 'unlisted', 'private')
  order by s.id
  for share
), unpinned as (
  delete from status_pins p
  where p.account_id = $1 and p.status_id <> all ((select $2::bigint[])::bigint[]) and (select count(*) from present) >= 0
  returning p.status_id
), pinned as (
  insert into status_pins (account_id, status_id)
  select present.account_id, present.id from present order by present.id
  on conflict do nothing
  returning status_pins.status_id
), logged as (
  insert into events (kind, actor_id, status_id)
  select 'status.pinned', $1, changed.status_id
  from (select unpinned.status_id from unpinned union all select pinned.status_id from pinned) changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
