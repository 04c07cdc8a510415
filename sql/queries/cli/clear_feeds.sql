-- clear_feeds: makes every running server clear the feeds of an account, which are rebuilt on
-- demand.
-- $1 account bigint
-- rows: one
-- plan: a row is inserted, none are read
with logged as (
  insert into events (kind, account_id, data) values ('caches.cleared', $1, '{"change": "feeds"}')
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
