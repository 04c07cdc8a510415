-- local_days: the daily figures of the server, all domains and details together.
-- $1 counters text[]
-- $2 first date
-- $3 last date
-- rows: one for each counter and day that has a figure
-- plan: no sequential scan
select c.counter::text as counter, c.day, sum(c.amount)::bigint as amount
from day_counters c
where c.counter = any ((select $1::text[])::day_counter[]) and c.day >= $2::date and c.day <= $3::date
group by c.counter, c.day
