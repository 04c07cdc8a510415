-- count_day: takes the figures of yesterday and today down, and forgets who was there longer ago than is told. What is deleted afterwards stays counted.
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
