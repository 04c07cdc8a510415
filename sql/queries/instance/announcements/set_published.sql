-- set_published: publishes an announcement, or unpublishes it; clears its scheduled time. Logs no
-- event when nothing changes.
-- $1 announcement bigint
-- $2 published boolean
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with unscheduled as (
  update announcements a set scheduled_at = null where a.id = $1 and a.published = $2 and a.scheduled_at is not null
), changed as (
  update announcements a
  set published = $2, published_at = case when $2 then now() else a.published_at end, scheduled_at = null, updated_at = now()
  where a.id = $1 and a.published <> $2
  returning a.id
), logged as (
  insert into events (kind, object_id)
  select case when $2 then 'announcement.published' else 'announcement.deleted' end, changed.id from changed
  returning event_json(events) as event
)
select a.id, (select jsonb_agg(logged.event) from logged) as events from announcements a where a.id = $1
