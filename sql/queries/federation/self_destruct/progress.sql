-- progress: the numbers of accounts that other servers know, of those whose deletion was sent, and
-- of waiting deliveries.
-- rows: one
-- plan: the stored keys and deliveries
select
  count(*)::integer as accounts, count(k.deletion_sent_at)::integer as sent,
  (
    select coalesce(sum(json_array_length(j.payload -> 'inboxes')), 0)
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'federation.deliver'
    where j.attempts < j.max_attempts
  )::integer as waiting
from signing_keys k
where k.account_id is not null
