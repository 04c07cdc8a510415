-- modify_user: changes a user, and records each change in the log of actions; null values stay
-- unchanged. An address that is not confirmed at once is pending beside the old one. Links that
-- were sent before end: those for a new password when address or password change, that of another
-- address. A new password drops another address that is not confirmed yet: somebody else may have
-- asked for it.
-- $1 user bigint
-- $2 email text
-- $3 confirm boolean
-- $4 password_hash text
-- $5 drops_second_factor boolean
-- rows: one
-- plan: no sequential scan
with before as materialized (
  select u.id, u.approved, u.confirmed_at is null as unconfirmed, u.otp_enabled_at is not null as had_second_factor
  from users u
  where u.id = $1
), changed as (
  update users u
  set
    email = case when $3::boolean then coalesce($2::text, u.unconfirmed_email, u.email) else u.email end,
    unconfirmed_email = case when $3 then null else coalesce($2, case when $4::text is null then u.unconfirmed_email end) end,
    confirmation_token_hash = case
      when $2 is null and ($4 is null or u.unconfirmed_email is null) then u.confirmation_token_hash
    end,
    reset_password_token_hash = case
      when $4 is null and not ($3 and coalesce($2, u.unconfirmed_email) is not null) then u.reset_password_token_hash
    end,
    confirmed_at = case when $3 then coalesce(u.confirmed_at, now()) else u.confirmed_at end,
    password_hash = coalesce($4, u.password_hash),
    otp_secret = case when $5::boolean then null else u.otp_secret end,
    otp_enabled_at = case when $5 then null else u.otp_enabled_at end,
    otp_last_step = case when $5 then null else u.otp_last_step end,
    otp_backup_code_hashes = case when $5 then '{}' else u.otp_backup_code_hashes end,
    updated_at = now()
  from before
  where u.id = before.id
  returning u.account_id, u.approved and not before.approved as let_in, before.unconfirmed and u.confirmed_at is not null as first
), recorded as materialized (
  select log_action(null, done.action, 'User', $1, handle_of(a))
  from changed
  join accounts a on a.id = changed.account_id
  cross join lateral (
    values ('change_email', $2 is not null), ('confirm', $3), ('reset_password', $4 is not null), ('disable_2fa', $5)
  ) done (action, happened)
  where done.happened
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "operator"}'::jsonb || jsonb_build_object('first', changed.first) from changed
  union all
  select 'user.changed', changed.account_id, '{"change": "approved"}' from changed where changed.let_in
  union all
  -- Confirmation and approval decide on the account's visibility.
  select 'account.changed', changed.account_id, '{"change": "operator"}' from changed
  returning event_json(events) as event
)
select
  (select count(*) from recorded) as recorded, (select before.had_second_factor and $5 from before) as dropped_second_factor,
  (select jsonb_agg(logged.event) from logged) as events
