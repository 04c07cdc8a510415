-- count_waiting: counts the batches of deliveries that wait, up to a limit.
-- $1 limit integer
-- rows: one
-- plan: at most so many jobs
select count(*)::integer as amount
from (
  select from graphile_worker._private_jobs j
  where j.task_id = (select t.id from graphile_worker._private_tasks t where t.identifier = 'federation.deliver')
    and j.attempts < j.max_attempts
  limit (select $1::integer)
) some_jobs
