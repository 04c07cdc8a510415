-- find_resettable: the user who may reset the password by an e-mail to this address.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select u.id
from users u join accounts a on a.id = u.account_id
where lower(u.email) = lower($1) and not a.memorial
