-- most_active_accounts: the seeded accounts with the most statuses.
-- $1 limit integer
-- rows: at most so many
-- plan: a sequential scan of users: after seeding
select a.id
from accounts a
join users u on u.account_id = a.id
join account_stats s on s.account_id = a.id
where u.email like '%@seed.example'
order by s.statuses_count desc, a.id
limit $1::integer
