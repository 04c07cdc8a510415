-- create: creates a local account with its user; or a user for a local account that has none,
-- and lifts its suspension. Records that in the audit log.
-- $1 account bigint
-- $2 username text
-- $3 email text
-- $4 password_hash text
-- $5 confirmed boolean
-- $6 approved boolean
-- $7 role bigint
-- $8 moderator bigint
-- rows: one
-- plan: one row by key
with created as (
  insert into accounts (username) select $2 where $1::bigint is null returning accounts.id
), claimed as (
  update accounts set suspended_at = null, deletion_requested_at = null, updated_at = now()
  where accounts.id = $1
  returning accounts.id
), account as (
  select created.id from created union all select claimed.id from claimed
), counted as (
  insert into account_stats (account_id) select account.id from account on conflict do nothing
), created_user as (
  insert into users (account_id, email, password_hash, confirmed_at, confirmation_sent_at, approved, role_id)
  select account.id, $3, $4, case when $5::boolean then now() end, case when not $5 then now() end, $6, $7::bigint from account
  returning users.id, users.account_id
), recorded as materialized (
  select log_action($8::bigint, 'create', 'User', created_user.id, $2) from created_user
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', created_user.account_id, '{"change": "created"}'::jsonb from created_user
  union all
  select 'user.changed', created_user.account_id, '{"change": "created"}' from created_user
  returning event_json(events) as event
)
select created_user.id, created_user.account_id, (select count(*) from recorded) as recorded,
  (select jsonb_agg(logged.event) from logged) as events from created_user
