-- change: changes a user's login for a moderator, and records it in the audit log. A new address
-- has to be confirmed. Links that were sent before end: those for a new password when address or
-- password change, that of another address. A new password drops an address that is not confirmed
-- yet: somebody else may have asked for it.
-- $1 moderator bigint
-- $2 user bigint
-- $3 action text
-- $4 email text
-- $5 password_hash text
-- rows: one
-- plan: no sequential scan
with before as materialized (
  select u.id, u.confirmed_at is null as unconfirmed from users u where u.id = $2 for update
), changed as (
  update users u
  set
    email = case when $3 = 'confirm' then coalesce(u.unconfirmed_email, u.email) else u.email end,
    unconfirmed_email = case $3 when 'confirm' then null when 'change_email' then $4::text when 'reset_password' then null else u.unconfirmed_email end,
    confirmed_at = case when $3 = 'confirm' then coalesce(u.confirmed_at, now()) else u.confirmed_at end,
    confirmation_token_hash = case
      when $3 = 'change_email' or ($3 = 'reset_password' and u.unconfirmed_email is not null) then null
      else u.confirmation_token_hash
    end,
    reset_password_token_hash = case
      when $3 = 'reset_password' or ($3 = 'confirm' and u.unconfirmed_email is not null) then null
      else u.reset_password_token_hash
    end,
    password_hash = case when $3 = 'reset_password' then $5::text else u.password_hash end,
    otp_secret = case when $3 = 'disable_2fa' then null else u.otp_secret end,
    otp_enabled_at = case when $3 = 'disable_2fa' then null else u.otp_enabled_at end,
    otp_last_step = case when $3 = 'disable_2fa' then null else u.otp_last_step end,
    otp_backup_code_hashes = case when $3 = 'disable_2fa' then '{}' else u.otp_backup_code_hashes end,
    otp_pending_secret = case when $3 = 'disable_2fa' then null else u.otp_pending_secret end,
    otp_pending_at = case when $3 = 'disable_2fa' then null else u.otp_pending_at end,
    updated_at = now()
  from before
  where u.id = before.id
  returning u.account_id, before.unconfirmed and u.confirmed_at is not null as first
), noted as materialized (
  select log_action($1::bigint, $3, 'User', a.id, handle_of(a)) from changed join accounts a on a.id = changed.account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'user.changed', $1, changed.account_id, '{"change": "operator"}'::jsonb || jsonb_build_object('first', changed.first) from changed, noted
  union all
  -- Confirmation decides on the account's visibility.
  select 'account.changed', $1, changed.account_id, '{"change": "operator"}' from changed where $3 = 'confirm'
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
