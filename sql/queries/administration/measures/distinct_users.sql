-- distinct_users: how many users were active in a period: on each of its days those who had not
-- been active earlier in it (count_active_days).
-- $1 first date
-- $2 end date
-- rows: one; $2: the day after the period
-- plan: no sequential scan
select coalesce(sum(c.amount), 0)::bigint as users
from day_counters c
where c.counter = 'active_users' and c.day >= $1::date and c.day < $2::date
  and coalesce(c.day - nullif(c.detail, '')::integer < $1, true)
