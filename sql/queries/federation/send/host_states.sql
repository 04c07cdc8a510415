-- host_states: the servers to which deliveries have failed since their last success, which is known
-- to the hour, and the deliveries that wait for them.
-- $1 after text
-- $2 limit integer
-- rows: at most $2, by host; waiting: scheduled deliveries; next_at: the time of the first
-- plan: the stored deliveries
with page as materialized (
  select h.* from delivery_hosts h where h.host > $1 order by h.host limit $2::integer
), scheduled as materialized (
  select substring(j.payload -> 'inboxes' ->> 0 from '^https?://([^/?#]+)') as host, count(*)::integer as waiting, min(j.run_at) as next_at
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'federation.deliver'
  where (j.payload ->> 'attempt')::integer > 1 or j.key is not null
  group by 1
)
select
  page.host, page.failures, cardinality(page.failed_days) as days, page.last_failed_at, page.last_error, page.paused_until,
  page.unavailable_since, coalesce(scheduled.waiting, 0) as waiting, scheduled.next_at, d.at as last_success_at
from page
left join scheduled on scheduled.host = page.host
left join delivery_successes d on d.host = page.host
order by page.host
