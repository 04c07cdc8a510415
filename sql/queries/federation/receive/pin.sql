-- pin: a remote account pins one of its statuses, up to a maximum. A deletion of the status is
-- waited for, and it waits for the pin.
-- $1 account bigint
-- $2 status bigint
-- rows: one; events is null when nothing changed
-- plan: no sequential scan
with present as materialized (
  select s.account_id, s.id
  from statuses s
  where s.id = $2 and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
    and s.visibility in ('public', 'unlisted', 'private')
  for share
), pinned as (
  insert into status_pins (account_id, status_id)
  select present.account_id, present.id
  from present
  where (select count(*) from status_pins p where p.account_id = $1) < 50
  on conflict do nothing
  returning status_pins.id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', $1, $2 from pinned
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
