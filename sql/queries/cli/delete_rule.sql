-- delete_rule: removes a rule; reports that cite it are unchanged.
-- $1 rule bigint
-- rows: one when the rule existed
-- plan: one row by key
with removed as (
  update rules r set deleted_at = now() where r.id = $1 and r.deleted_at is null returning r.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', removed.id, '{"change": "rules"}' from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
