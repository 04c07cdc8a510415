-- assign: gives the user of an account another role (null: the base role alone), and records it in
-- the audit log. Has no effect when the user has that role.
-- $1 moderator bigint
-- $2 account bigint
-- $3 role bigint
-- rows: none when the account has no user, else one
-- plan: no sequential scan of users
with found as materialized (
  select u.id, u.account_id, handle_of(a) as handle from users u join accounts a on a.id = u.account_id where u.account_id = $2
), changed as (
  update users u set role_id = $3::bigint, updated_at = now()
  from found
  where u.id = found.id and u.role_id is distinct from $3
  returning u.id, u.account_id, found.handle
), noted as materialized (
  select log_action($1::bigint, 'change_role', 'User', changed.id, changed.handle) from changed
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "role"}'::jsonb from changed
  union all
  select 'account.changed', changed.account_id, '{"change": "role"}' from changed
  returning event_json(events) as event
)
select (select count(*) from noted) > 0 as changed, (select jsonb_agg(logged.event) from logged) as events from found
