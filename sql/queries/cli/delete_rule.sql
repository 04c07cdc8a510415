-- delete_rule: takes a rule away; reports that name it keep it
-- $1 rule bigint
-- rows: one when there was such a rule
-- plan: one row by key
with gone as (
  update rules r set deleted_at = now() where r.id = $1 and r.deleted_at is null returning r.id
), told as (
  insert into events (kind, object_id, data) select 'instance.changed', gone.id, '{"what": "rules"}' from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
