-- record_change: logs that trends may have changed.
-- rows: one
-- plan: rows are inserted, none are read
with logged as (
  insert into events (kind) values ('trends.changed') returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged
