-- store_redirection: an account of another server has moved to another account. Its followers are
-- not moved, which a Move demands.
-- $1 account bigint
-- $2 target bigint
-- rows: none when the target is hidden or stored already, else one
-- plan: no sequential scan
with moved as (
  update accounts a set moved_to_account_id = t.id, updated_at = now()
  from accounts t
  where a.id = $1 and a.domain is not null and a.deletion_requested_at is null and t.id = $2 and t.id <> a.id
    and t.suspended_at is null and t.deletion_requested_at is null and not t.pending
    and a.moved_to_account_id is distinct from t.id
  returning a.id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', moved.id, '{"change": "moved"}'::jsonb from moved
  returning event_json(events) as event
)
select moved.id, (select jsonb_agg(logged.event) from logged) as events from moved
