-- instance_days: the daily figures of a domain and, optionally, its subdomains. Deleted statuses
-- are subtracted.
-- $1 counters text[]
-- $2 domain text
-- $3 below boolean
-- $4 first date
-- $5 last date
-- rows: one for each day of the period that has a figure, and one without a day for all others
-- plan: no sequential scan
select
  case when c.day >= $4::date and c.day <= $5::date then c.day end as day,
  sum(case when c.counter = 'deleted_statuses' then -c.amount else c.amount end)::bigint as amount
from day_counters c
where c.domain <> '' and c.counter = any ((select $1::text[])::day_counter[])
  and (
    reverse(c.domain) = reverse($2::text)
    or ($3::boolean and reverse(c.domain) ~>=~ reverse('.' || $2) and reverse(c.domain) ~<~ reverse('/' || $2))
  )
group by 1
