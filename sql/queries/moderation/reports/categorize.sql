-- categorize: sets the category of a report with the rules that were broken, and records it in the
-- audit log. Has no effect when nothing changes.
-- $1 moderator bigint
-- $2 report bigint
-- $3 category text
-- $4 rules bigint[]
-- rows: one
-- plan: one row by key
with changed as (
  update reports r set category = $3, rule_ids = $4::bigint[], updated_at = now()
  where r.id = $2 and (r.category, r.rule_ids) is distinct from ($3, $4)
  returning r.id, r.target_account_id
), recorded as materialized (
  select log_action($1::bigint, 'update', 'Report', changed.id, '#' || changed.id) from changed
), logged as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'report.updated', $1, changed.target_account_id, changed.id from changed
  returning event_json(events) as event
)
select (select count(*) from recorded)::integer as changed, (select jsonb_agg(logged.event) from logged) as events
