-- recipient: the address of a subscriber who gets a post by e-mail. Read when it is sent.
-- $1 status bigint
-- $2 subscription bigint
-- rows: none when the post was deleted, the subscription has ended, or the account no longer offers
--   subscriptions
-- plan: rows by key
select e.email, e.locale
from statuses s
join email_subscriptions e on e.account_id = s.account_id and e.confirmed_at is not null
where s.id = $1 and s.deleted_at is null and s.visibility = 'public' and e.id = $2 and offers_email_subscriptions(s.account_id)
