-- count_day: stores the figures of yesterday and today, and deletes records of activity that are
-- older than the published weeks. Later deletions do not change the figures.
-- rows: none
-- plan: a sequential scan of users, every ten minutes; statuses of two days by index
with day as (
  select (now() at time zone 'UTC')::date - n as day from generate_series(0, 1) n
), deleted as (
  delete from active_days a where a.day < (now() at time zone 'UTC')::date - 200
)
insert into activity_days as known (day, statuses, registrations)
select
  day.day,
  (
    select count(*) from statuses s
    where s.local
      and s.id >= (extract(epoch from day.day::timestamp at time zone 'UTC')::bigint * 1000) << 16
      and s.id < (extract(epoch from (day.day + 1)::timestamp at time zone 'UTC')::bigint * 1000) << 16
  ),
  (
    select count(*) from users u
    where u.created_at >= day.day::timestamp at time zone 'UTC' and u.created_at < (day.day + 1)::timestamp at time zone 'UTC'
  )
from day
on conflict (day) do update set
  statuses = greatest(known.statuses, excluded.statuses),
  registrations = greatest(known.registrations, excluded.registrations)
returning known.day
