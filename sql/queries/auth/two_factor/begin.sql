-- begin: stores the secret of an authenticator app until its first code confirms it.
-- $1 user bigint
-- $2 secret text
-- rows: none
-- plan: no sequential scan
update users set otp_pending_secret = $2, otp_pending_at = now() where users.id = $1
