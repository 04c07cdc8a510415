-- find_reset: the user who may set a new password with a token. Tokens are valid for six hours.
-- $1 token_hash bytea
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.id, u.email
from users u
where u.reset_password_token_hash = $1 and u.reset_password_sent_at > now() - interval '6 hours'
