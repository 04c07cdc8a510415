-- resolve: resolves open reports, one or all about an account, and records that in the audit log.
-- $1 moderator bigint
-- $2 report bigint
-- $3 account bigint
-- rows: one; how many
-- plan: no sequential scan
with resolved as (
  update reports r set action_taken_at = now(), action_taken_by_account_id = $1::bigint, updated_at = now()
  where r.action_taken_at is null and (r.id = $2::bigint or r.target_account_id = $3::bigint)
  returning r.id, r.target_account_id
), logged as materialized (
  select log_action($1, 'resolve', 'Report', resolved.id, '#' || resolved.id) from resolved
), logged_event as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'report.updated', $1, resolved.target_account_id, resolved.id from resolved
  returning event_json(events) as event
)
select (select count(*) from logged)::integer as amount, (select jsonb_agg(logged_event.event) from logged_event) as events
