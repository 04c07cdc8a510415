-- save: adds an emoji of this server, or with overwrite replaces the picture of an existing one.
-- The audit log records it. It runs after lock_replacement, so that it sees the files of one that
-- was stored at the same time.
-- $1 moderator bigint
-- $2 shortcode text
-- $3 image jsonb
-- $4 category text
-- $5 visible boolean
-- $6 overwrite boolean
-- rows: none when it exists and may not be replaced; else one, with the files of the replaced
--   picture
-- plan: one row by key
with old as materialized (
  select e.image from custom_emojis e where e.shortcode = $2 and coalesce(e.domain, '') = ''
), saved as (
  insert into custom_emojis as e (shortcode, image, category, visible_in_picker) values ($2, $3, $4, $5)
  on conflict (shortcode, coalesce(domain, '')) do update
  set image = excluded.image, category = coalesce(excluded.category, e.category), visible_in_picker = excluded.visible_in_picker,
    featured = e.featured and coalesce(excluded.category, e.category) = e.category, updated_at = now()
  where $6
  returning e.id, e.shortcode
), recorded as materialized (
  select log_action(
    $1::bigint, case when exists (select from old) then 'update' else 'create' end, 'CustomEmoji', saved.id, saved.shortcode
  )
  from saved
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', saved.id from saved, recorded
  returning event_json(events) as event
)
select
  array(
    select distinct file.key
    from old cross join lateral (values (old.image ->> 'key'), (old.image ->> 'static_key')) file (key)
    where file.key is not null
  ) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
from saved
