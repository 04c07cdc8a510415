-- delete_emoji: removes a local emoji.
-- $1 shortcode text
-- rows: none when it does not exist; else one, with its files
-- plan: one row by key
with removed as (
  delete from custom_emojis e where e.shortcode = $1 and coalesce(e.domain, '') = '' returning e.id, e.image
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', removed.id from removed
  returning event_json(events) as event
)
select
  array(
    select distinct file.key
    from (values (removed.image ->> 'key'), (removed.image ->> 'static_key')) file (key)
    where file.key is not null
  ) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
from removed
