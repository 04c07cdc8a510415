-- subscription: the address of a subscription and the account whose posts it gets.
-- $1 subscription bigint
-- rows: none when it has ended, else one
-- plan: rows by key
select s.email, a.username
from email_subscriptions s
join accounts a on a.id = s.account_id
where s.id = $1
