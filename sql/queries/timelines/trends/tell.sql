-- tell: what trends may have changed.
-- rows: one
-- plan: rows are inserted, none are read
with told as (
  insert into events (kind) values ('trends.changed') returning event_json(events) as event
)
select jsonb_agg(told.event) as events from told
