-- set_password: sets a user's password and invalidates the tokens to reset it. A reset by a token
-- also drops an address that is not confirmed yet, with its link: somebody else may have asked for
-- it.
-- $1 user bigint
-- $2 password_hash text
-- $3 reset_token_hash bytea
-- rows: one; changed: false when the token was used meanwhile
-- plan: one row by key
with changed as (
  update users
  set password_hash = $2, reset_password_token_hash = null, reset_password_sent_at = null,
    unconfirmed_email = case when $3::bytea is null then users.unconfirmed_email end,
    confirmation_token_hash = case when $3::bytea is null or users.unconfirmed_email is null then users.confirmation_token_hash end,
    updated_at = now()
  where users.id = $1 and ($3::bytea is null or users.reset_password_token_hash = $3)
  returning users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "password"}'::jsonb from changed
  returning event_json(events) as event
)
select exists (select from changed) as changed, (select jsonb_agg(logged.event) from logged) as events
