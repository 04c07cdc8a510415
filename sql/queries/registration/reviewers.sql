-- reviewers: those who manage users (permission manage_users, or administrator), with what they hear of a newcomer who waits for them.
-- $1 user bigint
-- rows: one for each
-- plan: no sequential scan of users
select staff.id as staff, a.username, u.email, coalesce(u.sign_up_reason, '-') as reason, coalesce(host(u.sign_up_ip), '-') as address
from users u
join accounts a on a.id = u.account_id
join roles r on (r.permissions & (1024 | 1)) <> 0
join users staff on staff.role_id = r.id and staff.confirmed_at is not null and staff.approved and not staff.disabled
where u.id = $1
order by staff.id
