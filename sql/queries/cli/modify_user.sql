-- modify_user: changes a user; null values stay unchanged. An address that is not confirmed at once
-- is pending beside the old one. role: 0 removes the role.
-- $1 user bigint
-- $2 email text
-- $3 confirm boolean
-- $4 approve boolean
-- $5 disabled boolean
-- $6 role bigint
-- $7 password_hash text
-- $8 drops_second_factor boolean
-- rows: one
-- plan: no sequential scan
with changed as (
  update users u
  set
    email = case when $3::boolean then coalesce($2::text, u.unconfirmed_email, u.email) else u.email end,
    unconfirmed_email = case when $3 then null else coalesce($2, u.unconfirmed_email) end,
    confirmed_at = case when $3 then coalesce(u.confirmed_at, now()) else u.confirmed_at end,
    approved = u.approved or $4::boolean,
    disabled = coalesce($5::boolean, u.disabled),
    role_id = case when $6::bigint = 0 then null else coalesce($6, u.role_id) end,
    password_hash = coalesce($7::text, u.password_hash),
    otp_secret = case when $8::boolean then null else u.otp_secret end,
    otp_enabled_at = case when $8 then null else u.otp_enabled_at end,
    otp_last_step = case when $8 then null else u.otp_last_step end,
    otp_backup_code_hashes = case when $8 then '{}' else u.otp_backup_code_hashes end,
    updated_at = now()
  where u.id = $1
  returning u.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "operator"}'::jsonb from changed
  union all
  -- Confirmation and approval decide on the account's visibility; the role on its badge.
  select 'account.changed', changed.account_id, '{"change": "operator"}' from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
