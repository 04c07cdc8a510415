-- add_rule: a rule more, after the others
-- $1 text text
-- $2 hint text
-- rows: one
-- plan: all of a small table
with made as (
  insert into rules (text, hint, position)
  select $1, $2, coalesce(max(r.position), 0) + 1 from rules r
  returning rules.id
), told as (
  insert into events (kind, object_id, data) select 'instance.changed', made.id, '{"what": "rules"}' from made
  returning event_json(events) as event
)
select made.id, (select jsonb_agg(told.event) from told) as events from made
