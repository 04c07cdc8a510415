-- queues: the jobs that are stored, by kind.
-- rows: one a kind of job, by name; oldest_due: since when the oldest one that is due waits
-- plan: all stored jobs
select
  coalesce(job.task_identifier, '') as name,
  count(*) filter (where job.locked_at is null and job.attempts = 0)::integer as waiting,
  count(*) filter (where job.locked_at is not null)::integer as running,
  count(*) filter (where job.locked_at is null and job.attempts > 0 and job.attempts < job.max_attempts)::integer as retrying,
  count(*) filter (where job.locked_at is null and job.attempts >= job.max_attempts)::integer as failed,
  min(job.run_at) filter (where job.locked_at is null and job.attempts < job.max_attempts and job.run_at <= now()) as oldest_due
from graphile_worker.jobs job
group by job.task_identifier
order by job.task_identifier
