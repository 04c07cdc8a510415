-- delete: removes emojis, and records each in the audit log.
-- $1 moderator bigint
-- $2 ids bigint[]
-- rows: one; amount: how many existed; replaced: their files
-- plan: rows by key
with removed as (
  delete from custom_emojis e where e.id = any ((select $2::bigint[])::bigint[])
  returning e.id, e.image, e.shortcode || coalesce('@' || e.domain, '') as name
), recorded as materialized (
  select removed.id, log_action($1::bigint, 'destroy', 'CustomEmoji', removed.id, removed.name) from removed
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', recorded.id from recorded
  returning event_json(events) as event
)
select
  (select count(*)::integer from removed) as amount,
  array(
    select distinct file.key
    from removed cross join lateral (values (removed.image ->> 'key'), (removed.image ->> 'static_key')) file (key)
    where file.key is not null
  ) as replaced,
  (select jsonb_agg(logged.event) from logged) as events
