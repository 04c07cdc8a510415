-- first_account: the account to which a server in single-user mode belongs: the first local one
-- that is not deleted.
-- rows: one, or none when there is nobody yet
-- plan: users in the order of their keys, until one will do
select a.username
from accounts a
join users u on u.account_id = a.id
where a.domain is null and not a.pending and a.suspended_at is null and a.deletion_requested_at is null
order by u.id
limit 1
