-- delete: deletes an announcement, and records it in the audit log; readers are notified by an
-- event.
-- $1 moderator bigint
-- $2 announcement bigint
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with removed as (
  delete from announcements a where a.id = $2 returning a.id, a.published, a.text
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'Announcement', removed.id, left(removed.text, 100)) from removed
), logged as (
  insert into events (kind, object_id)
  select 'announcement.deleted', removed.id from removed, recorded where removed.published
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed, recorded
