-- add_rule: adds a rule after the others.
-- $1 text text
-- $2 hint text
-- rows: one
-- plan: all of a small table
with created as (
  insert into rules (text, hint, position)
  select $1, $2, coalesce(max(r.position), 0) + 1 from rules r
  returning rules.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', created.id, '{"change": "rules"}' from created
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged.event) from logged) as events from created
