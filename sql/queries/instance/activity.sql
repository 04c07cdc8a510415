-- activity: the figures of the last twelve weeks, newest first, for GET /api/v1/instance/activity.
-- A week is the seven days from its first day on.
-- rows: twelve
-- plan: the counters of 84 days by index
with weeks as (
  select (now() at time zone 'UTC')::date - 7 * n as first from generate_series(0, 11) n
), counted as (
  select c.counter, c.day, c.detail, sum(c.amount) as amount
  from day_counters c
  where c.counter in ('statuses', 'registrations', 'active_users') and c.domain = ''
    and c.day >= (now() at time zone 'UTC')::date - 77
  group by 1, 2, 3
)
select
  extract(epoch from midnight(w.first))::float8 as week,
  coalesce(sum(c.amount) filter (where c.counter = 'statuses'), 0)::integer as statuses,
  coalesce(
    -- Distinct users: those of each day who had not been active earlier in the week.
    sum(c.amount) filter (where c.counter = 'active_users' and coalesce(c.day - nullif(c.detail, '')::integer < w.first, true)), 0
  )::integer as logins,
  coalesce(sum(c.amount) filter (where c.counter = 'registrations'), 0)::integer as registrations
from weeks w
left join counted c on c.day >= w.first and c.day < w.first + 7
group by w.first
order by w.first desc
