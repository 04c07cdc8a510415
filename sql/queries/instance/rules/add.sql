-- add: adds a rule after the others, and records it in the audit log.
-- $1 moderator bigint
-- $2 text text
-- $3 hint text
-- rows: one
-- plan: all of a small table
with created as (
  insert into rules (text, hint, position)
  select $2, $3, coalesce(max(r.position), 0) + 1 from rules r
  returning rules.id, rules.text
), recorded as materialized (
  select log_action($1::bigint, 'create', 'Rule', created.id, left(created.text, 100)) from created
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, created.id, '{"change": "rules"}' from created, recorded
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged.event) from logged) as events from created
