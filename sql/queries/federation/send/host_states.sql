-- host_states: the servers to which deliveries have failed since their last success, which is known
-- to the hour, and what waits for them.
-- $1 after text
-- $2 limit integer
-- rows: at most $2, by name; waiting: deliveries that are put off; next_at: of the first of them
-- plan: the stored deliveries
with part as materialized (
  select h.* from delivery_hosts h where h.host > $1 order by h.host limit $2::integer
), put_off as materialized (
  select substring(j.payload -> 'inboxes' ->> 0 from '^https?://([^/?#]+)') as host, count(*)::integer as waiting, min(j.run_at) as next_at
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'federation.deliver'
  where (j.payload ->> 'attempt')::integer > 1 or j.key is not null
  group by 1
)
select
  part.host, part.failures, cardinality(part.failed_days) as days, part.last_failed_at, part.last_error, part.paused_until,
  part.unavailable_since, coalesce(put_off.waiting, 0) as waiting, put_off.next_at, d.at as last_success_at
from part
left join put_off on put_off.host = part.host
left join delivery_successes d on d.host = part.host
order by part.host
