-- servers: the domains whose statuses were received in a period, most statuses first.
-- $1 first date
-- $2 last date
-- $3 limit bigint
-- rows: at most $3; null: all; domain: '' for this server
-- plan: no sequential scan
select c.domain, sum(c.amount)::bigint as amount
from day_counters c
where c.counter = 'statuses' and c.day >= $1::date and c.day <= $2::date
group by c.domain
having sum(c.amount) > 0
order by 2 desc, 1
limit $3::bigint
