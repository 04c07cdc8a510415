-- typical_users: the seeded users who may use their accounts and whose number of follows is nearest
-- to the average; of equally near ones, those with the most statuses first.
-- $1 limit integer
-- rows: at most so many
-- plan: sequential scans of users and account_stats: for the bench
select u.id as user_id, a.id, a.username, u.email
from users u
join accounts a on a.id = u.account_id
join account_stats s on s.account_id = a.id
where u.email like '%@seed.example' and a.actor_type = 'Person' and u.approved and u.confirmed_at is not null
order by
  abs(s.following_count - (
    select avg(o.following_count) from account_stats o join users ou on ou.account_id = o.account_id where ou.email like '%@seed.example'
  )),
  s.statuses_count desc,
  a.id
limit $1::integer
