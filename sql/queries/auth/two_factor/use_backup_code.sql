-- use_backup_code: removes a recovery code that was used.
-- $1 user bigint
-- $2 hash text
-- rows: none
-- plan: one row by key
update users set otp_backup_code_hashes = array_remove(users.otp_backup_code_hashes, $2) where users.id = $1
