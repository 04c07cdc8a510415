-- remove_site_picture: restores the built-in picture, and records it in the audit log.
-- $1 moderator bigint
-- $2 name text
-- rows: one when there was another; replaced: the files that are no longer used
-- plan: one row by key
with removed as (
  delete from site_pictures p where p.name = $2 returning p.name, p.keys
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'SitePicture', null, removed.name) from removed
), logged as (
  insert into events (kind, actor_id, data) select 'instance.changed', $1, '{"change": "pictures"}'::jsonb from recorded
  returning event_json(events) as event
)
select
  array(select f.value from jsonb_each_text(removed.keys) f) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
from removed
