-- set_published: publishes an announcement, or unpublishes it; clears its scheduled time. Logs
-- nothing when nothing changes.
-- $1 moderator bigint
-- $2 announcement bigint
-- $3 published boolean
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with unscheduled as (
  update announcements a set scheduled_at = null where a.id = $2 and a.published = $3 and a.scheduled_at is not null
), changed as (
  update announcements a
  set published = $3, published_at = case when $3 then now() else a.published_at end, scheduled_at = null, updated_at = now()
  where a.id = $2 and a.published <> $3
  returning a.id, a.text
), recorded as materialized (
  select log_action(
    $1::bigint, case when $3 then 'publish' else 'unpublish' end, 'Announcement', changed.id, left(changed.text, 100)
  )
  from changed
), logged as (
  insert into events (kind, object_id)
  select case when $3 then 'announcement.published' else 'announcement.deleted' end, changed.id from changed, recorded
  returning event_json(events) as event
)
select a.id, (select jsonb_agg(logged.event) from logged) as events from announcements a where a.id = $2
