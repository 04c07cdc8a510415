-- clear: makes every running server clear its caches. Besides caches.cleared it logs the
-- events at which caches drop everything: rendered entities (emojis.changed), viewers
-- (role.changed) and settings.
-- $1 what text
-- rows: one
-- plan: rows are inserted, none are read
with logged as (
  insert into events (kind, data)
  select 'caches.cleared', jsonb_build_object('change', case $1::text when 'all' then 'all' else 'feeds' end)
  union all
  select one.kind, one.data
  from (
    values ('emojis.changed', '{}'::jsonb), ('role.changed', '{}'), ('settings.changed', '{"keys": []}')
  ) one (kind, data)
  where $1 = 'all'
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
