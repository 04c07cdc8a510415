-- activity: what happened on the server in each of the last twelve weeks, the newest first (api/endpoints/instance.json)
-- rows: twelve
select
  extract(epoch from week.start)::float8 as week,
  (
    select count(*)::integer from statuses s
    where s.local and s.id >= (extract(epoch from week.start)::bigint * 1000) << 16
      and s.id < (extract(epoch from week.start + interval '7 days')::bigint * 1000) << 16
  ) as statuses,
  (
    select count(*)::integer from users u
    where u.last_active_at >= week.start and u.last_active_at < week.start + interval '7 days'
  ) as logins,
  (
    select count(*)::integer from users u
    where u.created_at >= week.start and u.created_at < week.start + interval '7 days'
  ) as registrations
from (
  select date_trunc('day', now(), 'UTC') - make_interval(days => 7 * n) as start from generate_series(0, 11) as n
) as week
order by week.start desc
