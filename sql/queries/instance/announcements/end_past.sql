-- end_past: unpublishes announcements whose subject has ended.
-- rows: one; how many
-- plan: all of a small table
with ended as (
  update announcements a set published = false, scheduled_at = null, updated_at = now()
  where a.published and a.ends_at < now()
  returning a.id
), logged as (
  insert into events (kind, object_id) select 'announcement.deleted', ended.id from ended
  returning event_json(events) as event
)
select (select count(*)::integer from ended) as amount, (select jsonb_agg(logged.event) from logged) as events
