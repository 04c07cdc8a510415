-- publish_due: publishes announcements whose scheduled time has come, unless their subject has
-- ended meanwhile.
-- rows: one; how many
-- plan: all of a small table
with published as (
  update announcements a set published = true, published_at = now(), updated_at = now()
  where not a.published and a.scheduled_at <= now() and (a.ends_at is null or a.ends_at > now())
  returning a.id
), logged as (
  insert into events (kind, object_id) select 'announcement.published', published.id from published
  returning event_json(events) as event
)
select (select count(*)::integer from published) as amount, (select jsonb_agg(logged.event) from logged) as events
