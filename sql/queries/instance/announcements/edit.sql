-- edit: changes the text of an announcement; readers are notified by an event.
-- $1 announcement bigint
-- $2 text text
-- $3 content text
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with changed as (
  update announcements a set text = $2, content = $3, updated_at = now() where a.id = $1
  returning a.id, a.published
), logged as (
  insert into events (kind, object_id) select 'announcement.published', changed.id from changed where changed.published
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
