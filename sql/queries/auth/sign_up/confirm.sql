-- confirm: confirms a user's pending or first address. A link for a new password, which was sent to
-- the previous address, ends.
-- $1 user bigint
-- rows: one
-- plan: one row by key
with confirmed as (
  update users
  set confirmed_at = coalesce(users.confirmed_at, now()),
    email = coalesce(users.unconfirmed_email, users.email),
    unconfirmed_email = null,
    reset_password_token_hash = case when users.unconfirmed_email is null then users.reset_password_token_hash end,
    updated_at = now()
  where users.id = $1
  returning users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', confirmed.account_id, '{"change": "confirmed"}'::jsonb from confirmed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
