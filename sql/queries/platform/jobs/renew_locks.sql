-- renew_locks: marks the running jobs of a worker, and the queues that they occupy, as locked now.
-- graphile-worker gives a job to another worker four hours after it was locked.
-- $1 worker text
-- rows: none
-- plan: all jobs that wait
with queues as (
  update graphile_worker._private_job_queues queue set locked_at = now()
  where queue.locked_by = $1::text
)
update graphile_worker._private_jobs job set locked_at = now()
where job.locked_by = $1::text
