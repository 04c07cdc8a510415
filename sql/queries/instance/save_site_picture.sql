-- save_site_picture: replaces a built-in picture, and records it in the audit log. It runs after
-- lock_replacement, so that it sees the files of one that was stored at the same time.
-- $1 moderator bigint
-- $2 name text
-- $3 keys jsonb
-- $4 blurhash text
-- rows: one; replaced: the files that are no longer used
-- plan: one row by key
with old as (
  select p.keys from site_pictures p where p.name = $2
), saved as (
  insert into site_pictures (name, keys, blurhash) values ($2, $3::jsonb, $4)
  on conflict (name) do update set keys = excluded.keys, blurhash = excluded.blurhash, updated_at = now()
  returning site_pictures.name
), recorded as materialized (
  select log_action($1::bigint, 'update', 'SitePicture', null, saved.name) from saved
), logged as (
  insert into events (kind, actor_id, data) select 'instance.changed', $1, '{"change": "pictures"}'::jsonb from recorded
  returning event_json(events) as event
)
select
  array(select f.value from old cross join lateral jsonb_each_text(old.keys) f) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
