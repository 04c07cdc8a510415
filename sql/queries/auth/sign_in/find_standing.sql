-- find_standing: what decides whether a password that was checked before is still the right one.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select u.password_hash, a.memorial
from users u join accounts a on a.id = u.account_id
where u.id = $1
