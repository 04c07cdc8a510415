-- Each webhook had four queues, so that one receiver that did not answer could occupy all of a
-- process's parallel jobs. What waits moves to the two queues that all webhooks share now, and
-- behind more urgent work, so that it stays before what is enqueued there from now on. A delivery
-- that runs just now ends in its old queue. Locks only the jobs that it moves.
do $$
begin
  -- The schema is also made without the tables of graphile-worker, for sql/schema.sql.
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  insert into graphile_worker._private_job_queues (queue_name) values ('webhooks:0'), ('webhooks:1')
  on conflict (queue_name) do nothing;
  update graphile_worker._private_jobs j
  set job_queue_id = q.id, priority = 20
  from graphile_worker._private_tasks t, graphile_worker._private_job_queues q
  where t.identifier = 'webhooks.deliver' and j.task_id = t.id and j.locked_at is null
    and q.queue_name = 'webhooks:' || (j.payload ->> 'webhook')::bigint % 2;
end
$$;
