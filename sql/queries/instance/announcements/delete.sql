-- delete: deletes an announcement; readers are notified by an event.
-- $1 announcement bigint
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with removed as (
  delete from announcements a where a.id = $1 returning a.id, a.published
), logged as (
  insert into events (kind, object_id) select 'announcement.deleted', removed.id from removed where removed.published
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
