-- renew_confirmation: stores a new token for a user whose address is not confirmed; invalidates the
-- previous one.
-- $1 user bigint
-- $2 token_hash bytea
-- rows: none when there is nothing to confirm
-- plan: no sequential scan, at most 12 buffers
update users u
set confirmation_token_hash = $2, confirmation_sent_at = now()
from accounts a
where u.id = $1 and a.id = u.account_id and (u.confirmed_at is null or u.unconfirmed_email is not null)
returning coalesce(u.unconfirmed_email, u.email) as email, u.locale, a.username, u.confirmed_at is not null as confirmed,
  u.created_by_application_id is not null as by_application
