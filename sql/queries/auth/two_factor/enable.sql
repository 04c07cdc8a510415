-- enable: activates a user's pending secret as second factor, with new recovery codes. Records the
-- time step of the code that confirmed it as used.
-- $1 user bigint
-- $2 secret text
-- $3 step bigint
-- $4 hashes text[]
-- rows: one; enabled: false when another secret is pending by now
-- plan: no sequential scan
with enabled as (
  update users u
  set otp_secret = $2, otp_enabled_at = now(), otp_last_step = $3, otp_backup_code_hashes = $4, otp_pending_secret = null,
    otp_pending_at = null, updated_at = now()
  where u.id = $1 and u.otp_pending_secret = $2
  returning u.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', enabled.account_id, '{"change": "second_factor"}'::jsonb from enabled
  returning event_json(events) as event
)
select exists (select from enabled) as enabled, (select jsonb_agg(logged.event) from logged) as events
