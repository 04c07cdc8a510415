-- feature: makes an emoji the picture of its category, and records it in the audit log. Run
-- after unfeature.
-- $1 moderator bigint
-- $2 emoji bigint
-- rows: none when it is not of this server or has no category; else one
-- plan: one row by key
with featured as (
  update custom_emojis e set featured = true, updated_at = now()
  where e.id = $2 and e.domain is null and e.category is not null
  returning e.id, e.shortcode
), recorded as materialized (
  select log_action($1::bigint, 'update', 'CustomEmoji', featured.id, featured.shortcode) from featured
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', featured.id from featured, recorded
  returning event_json(events) as event
)
select featured.id, (select jsonb_agg(logged.event) from logged) as events from featured
