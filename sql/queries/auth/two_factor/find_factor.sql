-- find_factor: the data to verify a user's second factor, locked until the transaction ends, so
-- that no code is accepted twice.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.otp_secret, u.otp_last_step, u.otp_backup_code_hashes
from users u
where u.id = $1 and u.otp_enabled_at is not null
for update
