-- unpin: unpins a status.
-- $1 account bigint
-- $2 status bigint
-- rows: one when it was pinned
-- plan: one row by key
with unpinned as (
  delete from status_pins p where p.account_id = $1 and p.status_id = $2 returning p.id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', $1, $2 from unpinned
  returning event_json(events) as event
)
select unpinned.id, (select jsonb_agg(logged.event) from logged) as events from unpinned
