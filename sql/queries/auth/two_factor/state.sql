-- state: the state of a user's two-factor authentication. A pending secret expires after half an
-- hour.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select
  u.email,
  u.otp_enabled_at as enabled_at,
  cardinality(u.otp_backup_code_hashes) as codes_left,
  case when u.otp_pending_at > now() - interval '30 minutes' then u.otp_pending_secret end as pending_secret,
  r.require_2fa as required
from users u join roles r on r.id = coalesce(u.role_id, -99)
where u.id = $1
