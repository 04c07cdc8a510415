-- delete: removes an announcement; who sees it is told.
-- $1 announcement bigint
-- rows: none when there is no such announcement, else one
-- plan: one row by key
with gone as (
  delete from announcements a where a.id = $1 returning a.id, a.published
), told as (
  insert into events (kind, object_id) select 'announcement.deleted', gone.id from gone where gone.published
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
