-- find_confirmation: the subscription of a link. Links are valid for two days.
-- $1 token_hash bytea
-- rows: none when the link is unknown or too old; offered: the account offers subscriptions
-- plan: rows by key
select s.id, s.email, s.account_id, offers_email_subscriptions(s.account_id) as offered
from email_subscriptions s
where s.confirmation_token_hash = $1 and s.confirmation_sent_at > now() - interval '2 days'
