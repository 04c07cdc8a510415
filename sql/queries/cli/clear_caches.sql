-- clear_caches: makes every running server clear its caches. Besides caches.cleared it logs the
-- events at which caches drop everything: rendered entities (emojis.changed), viewers
-- (role.changed), settings, public pages (account.changed).
-- $1 what text
-- rows: one
-- plan: rows are inserted, none are read
with logged as (
  insert into events (kind, data)
  select 'caches.cleared', jsonb_build_object('what', $1::text)
  union all
  select change.kind, '{}'
  from (values ('emojis.changed'), ('role.changed'), ('settings.changed'), ('account.changed')) change (kind)
  where $1 = 'all'
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
