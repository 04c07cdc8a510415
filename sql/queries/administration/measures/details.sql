-- details: the details of a counter in a period, the most frequent first.
-- $1 counter text
-- $2 domain text
-- $3 first date
-- $4 last date
-- $5 limit bigint
-- rows: at most $5; null: all
-- plan: no sequential scan
select c.detail, sum(c.amount)::bigint as amount
from day_counters c
where c.counter = (select $1::text)::day_counter and c.domain = $2 and c.day >= $3::date and c.day <= $4::date
group by c.detail
having sum(c.amount) > 0
order by 2 desc, 1
limit $5::bigint
