-- assign: makes a moderator responsible for a report (null: nobody), and records it in the audit
-- log. Has no effect when nothing changes.
-- $1 moderator bigint
-- $2 report bigint
-- $3 assignee bigint
-- rows: one
-- plan: one row by key
with changed as (
  update reports r set assigned_account_id = $3::bigint, updated_at = now()
  where r.id = $2 and r.assigned_account_id is distinct from $3
  returning r.id, r.target_account_id
), recorded as materialized (
  select log_action($1::bigint, case when $3 is null then 'unassigned' else 'assigned_to_self' end, 'Report', changed.id, '#' || changed.id)
  from changed
), logged as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'report.updated', $1, changed.target_account_id, changed.id from changed
  returning event_json(events) as event
)
select (select count(*) from recorded)::integer as changed, (select jsonb_agg(logged.event) from logged) as events
