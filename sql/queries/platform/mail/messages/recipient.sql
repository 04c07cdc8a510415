-- recipient: the recipient of an e-mail.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 12 buffers
select u.email, u.locale, a.username
from users u join accounts a on a.id = u.account_id
where u.id = $1
