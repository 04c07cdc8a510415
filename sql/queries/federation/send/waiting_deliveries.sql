-- waiting_deliveries: the scheduled deliveries to a server that are not running.
-- $1 host text
-- rows: one a job
-- plan: the stored deliveries
select j.id
from graphile_worker._private_jobs j
join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'federation.deliver'
where j.locked_at is null and json_array_length(j.payload -> 'inboxes') = 1
  and substring(j.payload -> 'inboxes' ->> 0 from '^https?://([^/?#]+)') = $1
order by j.id
