-- unpin: a remote account unpins a status.
-- $1 account bigint
-- $2 status bigint
-- rows: one; events is null when nothing changed
-- plan: no sequential scan
with unpinned as (
  delete from status_pins p where p.account_id = $1 and p.status_id = $2 returning p.id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', $1, $2 from unpinned
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
