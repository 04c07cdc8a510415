-- move: moves a rule before or after its neighbour, and records it in the audit log. The first
-- one cannot move up, the last one not down.
-- $1 moderator bigint
-- $2 rule bigint
-- $3 steps integer
-- rows: one when the rule exists
-- plan: all of a small table
with ranked as materialized (
  select r.id, r.text, (row_number() over (order by r.position, r.id))::integer as place
  from rules r
  where r.deleted_at is null
), target as (
  select ranked.id, ranked.text, ranked.place from ranked where ranked.id = $2
), moved as (
  update rules r
  set position = case
    when ranked.id = target.id then target.place + $3
    when ranked.place = target.place + $3 then target.place
    else ranked.place
  end
  from ranked cross join target
  where r.id = ranked.id and target.place + $3 between 1 and (select count(*) from ranked)
  returning r.id
), recorded as materialized (
  select log_action($1::bigint, 'update', 'Rule', target.id, left(target.text, 100)) from target
  where exists (select from moved)
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, target.id, '{"change": "rules"}' from target, recorded
  returning event_json(events) as event
)
select target.id, (select jsonb_agg(logged.event) from logged) as events from target
