-- restore_reset: makes the previous token for a new password valid again, unless another one has
-- been stored or all have ended meanwhile.
-- $1 user bigint
-- $2 token_hash bytea
-- $3 previous_hash bytea
-- $4 previous_sent_at timestamptz
-- rows: none
-- plan: one row by key
update users u
set reset_password_token_hash = $3, reset_password_sent_at = $4
where u.id = $1 and u.reset_password_token_hash = $2
