-- clear_caches: tells every running server to forget what it holds in memory.
-- $1 what text
-- rows: one
with told as (
  insert into events (kind, data) values ('caches.cleared', jsonb_build_object('what', $1::text))
  returning event_json(events) as event
)
select (select jsonb_agg(told.event) from told) as events
