-- approve: approves a user who waits for it, and records it in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none when the account has no user, else one; changed: false when it was approved before
-- plan: no sequential scan
with found as materialized (
  select u.id, u.account_id, handle_of(a) as handle from users u join accounts a on a.id = u.account_id
  where u.account_id = $2 and a.deletion_requested_at is null
  for update of u
), changed as (
  update users u set approved = true, updated_at = now()
  from found
  where u.id = found.id and not u.approved
  returning u.id, u.account_id, found.handle
), noted as materialized (
  select log_action($1::bigint, 'approve', 'User', changed.id, changed.handle) from changed
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'user.changed', $1, changed.account_id, '{"change": "approved"}' from changed
  returning event_json(events) as event
)
select found.id, (select count(*) from noted) > 0 as changed, (select jsonb_agg(logged.event) from logged) as events from found
