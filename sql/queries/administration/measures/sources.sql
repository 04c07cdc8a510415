-- sources: the applications through which users signed up in a period, the most frequent first.
-- $1 first date
-- $2 last date
-- $3 limit bigint
-- rows: at most $3; null: all; name: null for the website
-- plan: no sequential scan of users
select a.name, sum(c.amount)::bigint as amount
from day_counters c
left join applications a on a.id = nullif(c.detail, '')::bigint
where c.counter = 'sign_ups' and c.day >= $1::date and c.day <= $2::date
group by a.name
having sum(c.amount) > 0
order by 2 desc, 1 nulls first
limit $3::bigint
