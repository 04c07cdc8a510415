-- start_reset: stores a token with which a user can set a new password; invalidates the previous
-- one, which is returned for the case that the e-mail cannot be sent.
-- $1 user bigint
-- $2 token_hash bytea
-- rows: none or one
-- plan: one row of two tables by key
with previous as materialized (
  select u.id, u.reset_password_token_hash as token_hash, u.reset_password_sent_at as sent_at
  from users u
  where u.id = $1
  for update
)
update users u
set reset_password_token_hash = $2, reset_password_sent_at = now()
from previous, accounts a
where u.id = previous.id and a.id = u.account_id
returning u.email, u.locale, a.username, previous.token_hash as previous_hash, previous.sent_at as previous_sent_at
