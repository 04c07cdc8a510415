-- confirm: confirms a user's pending or first address. A link for a new password, which was sent to
-- the previous address, ends.
-- $1 user bigint
-- rows: one
-- plan: one row by key
with before as materialized (
  select u.id, u.confirmed_at is null as first from users u where u.id = $1 for update
), confirmed as (
  update users
  set confirmed_at = coalesce(users.confirmed_at, now()),
    email = coalesce(users.unconfirmed_email, users.email),
    unconfirmed_email = null,
    reset_password_token_hash = case when users.unconfirmed_email is null then users.reset_password_token_hash end,
    updated_at = now()
  from before
  where users.id = before.id
  returning users.account_id, before.first
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', confirmed.account_id, '{"change": "confirmed"}'::jsonb || jsonb_build_object('first', confirmed.first) from confirmed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
