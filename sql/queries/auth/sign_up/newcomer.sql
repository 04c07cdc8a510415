-- newcomer: what staff hears of somebody who waits for approval.
-- $1 user bigint
-- rows: one
-- plan: no sequential scan
select a.username as newcomer, u.email, coalesce(u.sign_up_reason, '-') as reason, coalesce(host(u.sign_up_ip), '-') as address
from users u
join accounts a on a.id = u.account_id
where u.id = $1
