-- cohorts: the users who signed up in a period, by the day or month of sign-up and that of their
-- latest sign-in.
-- $1 frequency text
-- $2 first date
-- $3 last date
-- rows: one for each pair; $1: day or month; signed_in: null when they never signed in;
--   counted: how many counters were read for all pairs
-- plan: no sequential scan of users
select
  date_trunc($1::text, c.day::timestamp)::date as signed_up,
  case when c.detail <> '' then date_trunc($1, c.detail::timestamp)::date end as signed_in,
  sum(c.amount)::bigint as users, (sum(count(*)) over ())::bigint as counted
from day_counters c
where c.counter = 'cohorts' and c.day >= $2::date and c.day <= $3::date
group by 1, 2
having sum(c.amount) > 0
