-- remove_site_picture: the built-in picture is shown again
-- $1 name text
-- rows: one when there was another; replaced: the files that nothing shows any more
-- plan: one row by key
with gone as (
  delete from site_pictures p where p.name = $1 returning p.name, p.keys
), told as (
  insert into events (kind, data) select 'instance.changed', jsonb_build_object('what', gone.name) from gone
  returning event_json(events) as event
)
select
  array(select f.value from jsonb_each_text(gone.keys) f) as replaced,
  (select jsonb_agg(told.event) from told) as events
from gone
