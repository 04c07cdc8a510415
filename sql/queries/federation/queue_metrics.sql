-- queue_metrics: counts received activities and deliveries that wait, and servers to which
-- deliveries fail.
-- rows: one
-- plan: all received activities and all stored jobs
select
  received.waiting as received_waiting, received.oldest_seconds as received_oldest_seconds,
  deliveries.waiting as deliveries_waiting, deliveries.retrying as deliveries_retrying,
  deliveries.oldest_seconds as deliveries_oldest_seconds,
  hosts.failing as hosts_failing, hosts.unavailable as hosts_unavailable
from (
  select
    count(*)::integer as waiting,
    coalesce(extract(epoch from now() - min(r.received_at)), 0)::double precision as oldest_seconds
  from received_activities r
) received, (
  select
    count(*) filter (where j.run_at <= now())::integer as waiting,
    count(*) filter (where j.run_at > now())::integer as retrying,
    coalesce(extract(epoch from now() - min(j.run_at) filter (where j.run_at <= now())), 0)::double precision as oldest_seconds
  from graphile_worker.jobs j
  where j.task_identifier = 'federation.deliver' and j.attempts < j.max_attempts
) deliveries, (
  select
    count(*) filter (where h.unavailable_since is null)::integer as failing,
    count(*) filter (where h.unavailable_since is not null)::integer as unavailable
  from delivery_hosts h
) hosts
