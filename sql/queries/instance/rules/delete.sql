-- delete: removes a rule, and records it in the audit log; reports that cite it are unchanged.
-- $1 moderator bigint
-- $2 rule bigint
-- rows: one when the rule existed
-- plan: one row by key
with removed as (
  update rules r set deleted_at = now() where r.id = $2 and r.deleted_at is null returning r.id, r.text
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'Rule', removed.id, left(removed.text, 100)) from removed
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, removed.id, '{"change": "rules"}' from removed, recorded
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
