-- set_password: sets a user's password and invalidates the tokens to reset it.
-- $1 user bigint
-- $2 password_hash text
-- $3 reset_token_hash bytea
-- rows: one; changed: false when the token was used meanwhile
-- plan: one row by key
with changed as (
  update users
  set password_hash = $2, reset_password_token_hash = null, reset_password_sent_at = null, updated_at = now()
  where users.id = $1 and ($3::bytea is null or users.reset_password_token_hash = $3)
  returning users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "password"}'::jsonb from changed
  returning event_json(events) as event
)
select exists (select from changed) as changed, (select jsonb_agg(logged.event) from logged) as events
