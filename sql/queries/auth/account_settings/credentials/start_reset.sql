-- start_reset: gives a user a token to set a new password with; the one before no longer counts.
-- $1 user bigint
-- $2 token_hash bytea
-- rows: none or one
-- plan: a row of two tables by key each
update users u
set reset_password_token_hash = $2, reset_password_sent_at = now()
from accounts a
where u.id = $1 and a.id = u.account_id
returning u.email, u.locale, a.username
