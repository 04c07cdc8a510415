-- remove_site_picture: restores the built-in picture.
-- $1 name text
-- rows: one when there was another; replaced: the files that are no longer used
-- plan: one row by key
with removed as (
  delete from site_pictures p where p.name = $1 returning p.name, p.keys
), logged as (
  insert into events (kind, data) select 'instance.changed', '{"change": "pictures"}'::jsonb from removed
  returning event_json(events) as event
)
select
  array(select f.value from jsonb_each_text(removed.keys) f) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
from removed
