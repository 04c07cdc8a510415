-- count_recipients: how many members get an e-mail that is sent to all of them now.
-- rows: one
-- plan: all users once
select count(*)::integer as amount
from users u
join accounts a on a.id = u.account_id
where u.confirmed_at is not null and u.approved and a.suspended_at is null and a.deletion_requested_at is null and not a.memorial
