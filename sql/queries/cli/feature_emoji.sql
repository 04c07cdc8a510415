-- feature_emoji: makes an emoji the picture of its category. Run after unfeature_category.
-- $1 shortcode text
-- rows: none when it does not exist or has no category; else one
-- plan: one row by key
with featured as (
  update custom_emojis e set featured = true, updated_at = now()
  where e.shortcode = $1 and coalesce(e.domain, '') = '' and e.category is not null
  returning e.id
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', featured.id from featured
  returning event_json(events) as event
)
select featured.id, (select jsonb_agg(logged.event) from logged) as events from featured
