-- disable: removes a user's second factor and its recovery codes.
-- $1 user bigint
-- rows: one; disabled: false when there was none
-- plan: no sequential scan
with disabled as (
  update users u
  set otp_secret = null, otp_enabled_at = null, otp_last_step = null, otp_backup_code_hashes = '{}', otp_pending_secret = null,
    otp_pending_at = null, updated_at = now()
  where u.id = $1 and u.otp_enabled_at is not null
  returning u.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', disabled.account_id, '{"change": "second_factor"}'::jsonb from disabled
  returning event_json(events) as event
)
select exists (select from disabled) as disabled, (select jsonb_agg(logged.event) from logged) as events
