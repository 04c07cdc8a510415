-- activity: the figures of the last twelve weeks, newest first, for GET /api/v1/instance/activity.
-- A week is the seven days from its first day on. Read from counters, except for today's statuses
-- and sign-ups since the last count.
-- rows: twelve
-- plan: a sequential scan of users; today's statuses by index. The response is cached
with today as (
  select (now() at time zone 'UTC')::date as day
), since as (
  select
    (
      select count(*)::integer from statuses s
      where s.local and s.id >= (extract(epoch from today.day::timestamp at time zone 'UTC')::bigint * 1000) << 16
    ) as statuses,
    (select count(*)::integer from users u where u.created_at >= today.day::timestamp at time zone 'UTC') as registrations
  from today
), days as (
  select
    today.day - n as day,
    greatest(d.statuses, case when n = 0 then since.statuses end, 0) as statuses,
    greatest(d.registrations, case when n = 0 then since.registrations end, 0) as registrations
  from generate_series(0, 77) n
  cross join today
  cross join since
  left join activity_days d on d.day = today.day - n
), weeks as (
  select today.day - 7 * n as first from today cross join generate_series(0, 11) n
)
select
  extract(epoch from w.first::timestamp at time zone 'UTC')::float8 as week,
  coalesce((select sum(d.statuses) from days d where d.day >= w.first and d.day < w.first + 7), 0)::integer as statuses,
  (
    select count(distinct a.user_id)::integer from active_days a where a.day >= w.first and a.day < w.first + 7
  ) as logins,
  coalesce((select sum(d.registrations) from days d where d.day >= w.first and d.day < w.first + 7), 0)::integer as registrations
from weeks w
order by w.first desc
