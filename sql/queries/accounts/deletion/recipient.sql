-- recipient: the recipient of the e-mail about the deletion of an account.
-- $1 account bigint
-- rows: one when it has a user
-- plan: no sequential scan
select u.email, u.locale, a.username
from users u
join accounts a on a.id = u.account_id
where u.account_id = $1
