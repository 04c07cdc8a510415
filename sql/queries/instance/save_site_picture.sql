-- save_site_picture: replaces a built-in picture.
-- $1 name text
-- $2 keys jsonb
-- $3 blurhash text
-- rows: one; replaced: the files that are no longer used
-- plan: one row by key
with old as (
  select p.keys from site_pictures p where p.name = $1
), saved as (
  insert into site_pictures (name, keys, blurhash) values ($1, $2::jsonb, $3)
  on conflict (name) do update set keys = excluded.keys, blurhash = excluded.blurhash, updated_at = now()
  returning site_pictures.name
), logged as (
  insert into events (kind, data) select 'instance.changed', '{"change": "pictures"}'::jsonb from saved
  returning event_json(events) as event
)
select
  array(select f.value from old cross join lateral jsonb_each_text(old.keys) f) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
