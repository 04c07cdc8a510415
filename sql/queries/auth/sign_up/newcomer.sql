-- newcomer: the details of a user waiting for approval that staff is notified of.
-- $1 user bigint
-- rows: one
-- plan: no sequential scan
select a.username as newcomer, u.email, coalesce(u.sign_up_reason, '-') as reason, coalesce(host(u.sign_up_ip), '-') as address
from users u
join accounts a on a.id = u.account_id
where u.id = $1
