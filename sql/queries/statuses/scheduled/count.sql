-- count: the number of statuses that a person has scheduled, in total and for the day (UTC) of a
-- time, except one that is being moved.
-- $1 account bigint
-- $2 at timestamptz
-- $3 moved bigint
-- rows: one
-- plan: no sequential scan
select
  count(*)::integer as total,
  (count(*) filter (
    where date_trunc('day', s.scheduled_at at time zone 'UTC') = date_trunc('day', $2::timestamptz at time zone 'UTC')
  ))::integer as of_day
from scheduled_statuses s
where s.account_id = $1 and s.id is distinct from $3::bigint
