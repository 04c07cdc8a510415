-- start_reset: stores a token with which a user can set a new password; invalidates the previous
-- one.
-- $1 user bigint
-- $2 token_hash bytea
-- rows: none or one
-- plan: one row of two tables by key
update users u
set reset_password_token_hash = $2, reset_password_sent_at = now()
from accounts a
where u.id = $1 and a.id = u.account_id
returning u.email, u.locale, a.username
