-- reopen: opens a resolved report again, and records it in the audit log. Has no effect on an
-- open one.
-- $1 moderator bigint
-- $2 report bigint
-- rows: one
-- plan: one row by key
with changed as (
  update reports r set action_taken_at = null, action_taken_by_account_id = null, updated_at = now()
  where r.id = $2 and r.action_taken_at is not null
  returning r.id, r.target_account_id
), recorded as materialized (
  select log_action($1::bigint, 'reopen', 'Report', changed.id, '#' || changed.id) from changed
), logged as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'report.updated', $1, changed.target_account_id, changed.id from changed
  returning event_json(events) as event
)
select (select count(*) from recorded)::integer as changed, (select jsonb_agg(logged.event) from logged) as events
