-- renew_confirmation: stores a new token for an address that is not confirmed; invalidates the
-- previous one.
-- $1 subscription bigint
-- $2 token_hash bytea
-- rows: one while the account offers subscriptions; confirmed: the address is subscribed, and got
--   no token
-- plan: rows by key
with found as materialized (
  select s.id, s.account_id, s.email, s.locale, s.confirmed_at is not null as confirmed
  from email_subscriptions s
  where s.id = $1 and offers_email_subscriptions(s.account_id)
), renewed as (
  update email_subscriptions s set confirmation_token_hash = $2, confirmation_sent_at = now()
  from found
  where s.id = found.id and not found.confirmed
)
select found.email, found.locale, found.confirmed, a.username, a.display_name
from found
join accounts a on a.id = found.account_id
