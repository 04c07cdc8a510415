-- count_requests: adds to counters of rate limits and returns their totals over all processes; an
-- amount of 0 only reads.
-- The rows are locked in the order of their keys, so that two processes that add to the same
-- counters cannot deadlock.
-- $1 counts jsonb
-- rows: one for each count, in their order
-- plan: rows are inserted, none are read
with counts as (
  select
    c.ordinality,
    c.count ->> 'name' as name,
    c.count ->> 'key' as key,
    to_timestamp((c.count ->> 'windowStart')::bigint) as window_start,
    to_timestamp((c.count ->> 'windowStart')::bigint + (c.count ->> 'windowSeconds')::bigint) as expires_at,
    (c.count ->> 'amount')::bigint as amount
  from jsonb_array_elements($1::jsonb) with ordinality as c (count, ordinality)
), added as (
  insert into rate_counters as r (name, key, window_start, expires_at, amount)
  select counts.name, counts.key, counts.window_start, counts.expires_at, counts.amount
  from counts
  order by counts.name, counts.key
  on conflict (name, key, window_start) do update set amount = r.amount + excluded.amount
  returning r.name, r.key, r.window_start, r.amount
)
select added.amount::float8 as total
from counts
join added using (name, key, window_start)
order by counts.ordinality
