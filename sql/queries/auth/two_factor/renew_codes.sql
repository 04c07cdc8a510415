-- renew_codes: replaces the recovery codes of a user with a second factor.
-- $1 user bigint
-- $2 hashes text[]
-- rows: one when the user has a second factor
-- plan: no sequential scan
update users u set otp_backup_code_hashes = $2, updated_at = now()
where u.id = $1 and u.otp_enabled_at is not null
returning u.id
