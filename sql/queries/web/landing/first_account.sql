-- first_account: whose server it is in single-user mode: the first person here who is not gone.
-- rows: one, or none when there is nobody yet
-- plan: users in the order of their keys, until one will do
select a.username
from accounts a
join users u on u.account_id = a.id
where a.domain is null and not a.pending and a.suspended_at is null and a.deletion_requested_at is null
order by u.id
limit 1
